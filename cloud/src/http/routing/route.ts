/** How a route is declared: what it takes is data, so that the order of checks cannot be forgotten and the OpenAPI is made from it. */

import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ErrorName } from "@porchlight/shared/kernel";
import { type AddressLimit, etag } from "@porchlight/shared/rest";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../../access/index.ts";
import type { BodyRule } from "./body-rules.ts";
import type { Call } from "./call.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * What becomes of a write when the data of its owner takes as many bytes as it may: "Quota Exceeded"; `reserve`, for an act on a hub that leaves
 * no more than its audit entry, the same once the reserve for those is used up; or the reason why it goes on.
 */
export type WhenFull = "refused" | "reserve" | { readonly goesOn: string };
export const COMMANDS_GO_ON: WhenFull = {
  goesOn: "devices are controlled as before; commands are limited in number and kept to a number of bytes",
};
export const LOG_INS_GO_ON: WhenFull = {
  goesOn: "an owner must log in to delete something; log-ins of an address and of an account are limited",
};

/** What goes back. */
export interface Answer {
  readonly status: number;
  /** JSON to be, or a stream of JSON; absent: no body at all. */
  readonly body?: object | Readable | undefined;
  /** In place of `body`: its JSON as it is sent, or of a large one its UTF-8. */
  readonly text?: string | Buffer | undefined;
  /** In place of all else: what is the same for everybody. */
  readonly page?: Page | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Each is a `set-cookie`. */
  readonly cookies?: readonly string[] | undefined;
  /** Type of the body when it is not JSON. */
  readonly media?: string | undefined;
}

/** What a route says of itself: the server acts on it, and the documents are made from it. */
export interface RouteText {
  /** Name in the OpenAPI document, which no other route has. */
  readonly operationId: string;
  /** Chapter of the OpenAPI document. */
  readonly tag: Tag;
  /** One line, in the imperative. */
  readonly summary: string;
  /** The body of the success, by status. */
  readonly answers: Readonly<Record<number, z.ZodType | undefined>>;
  /** Type of the bodies when they are not JSON. */
  readonly media?: string;
  /** Types of a body of text that it answers as well, when `accept` likes one better than JSON. */
  readonly otherMedia?: readonly string[];
  /** Whether a body of JSON has its hash as an entity tag. */
  readonly isHashed?: true;
  /** Most items of a page, where they are more than elsewhere. */
  readonly largestPage?: number;
  /** Whether it answers everybody with the same page. */
  readonly isSameForAll?: boolean;
  /** Errors of the route's own rules. */
  readonly errors?: readonly ErrorName[];
  /** Status of the success that has a `location`. */
  readonly location?: 201 | 202;
  /** Whether it waits for devices as long as `prefer` says. */
  readonly waitsForDevices?: true;
  /** Whether a success has an `x-command-id` always, or only for some bodies or devices. */
  readonly commandId?: "always" | "sometimes";
  /** Whether it answers `x-porchlight-trace` with `server-timing`. */
  readonly isTraced?: true;
  /** Whether a range of its bytes can be asked for: its success has an `etag`. */
  readonly hasRanges?: true;
  /** Whether it is authorised by the cookie of a log-in. */
  readonly readsCookie?: true;
  /** Whether it sets the cookie of a log-in, renews it or takes it away. */
  readonly setsCookie?: true;
  /** Whether an account needs a verified address for it: what it makes grants access that outlives the log-in (A1.3.1). */
  readonly needsVerifiedAddress?: true;
  /** Whether an account token may be sent, although none is needed. */
  readonly mayHaveSession?: true;
  /** Request headers beyond those that the other fields bring. */
  readonly headers?: readonly "x-current-password"[];
}

/** A route whose types have been checked where it was declared. */
export interface Route extends RouteText {
  readonly method: Method;
  /** Undefined where nothing is stored, or no more than is deleted. */
  readonly whenFull?: WhenFull | undefined;
  readonly path: string;
  /** Kinds of caller that it takes; undefined: anybody, without a credential. */
  readonly tokens: readonly Caller["kind"][] | undefined;
  /** Whether `idempotency-key` makes a repeat safe: every POST with a credential, and every write of properties. */
  readonly takesIdempotencyKey?: true;
  /** Whether what it does under a key is kept by the commands that it sends, in place of write after write: so it is of every PUT. */
  readonly keepsCommands?: true;
  /** Query parameters that it takes. */
  readonly query: readonly string[];
  /** What its callers are counted by, where no credential is needed. */
  readonly limit?: AddressLimit;
  readonly body: BodyRule<unknown> | undefined;
  handle(call: Call<never, never, never>): Promise<Answer>;
}

type CallerOf<K extends Caller["kind"]> = Extract<Caller, { kind: K }>;

/** A write says what becomes of it when there is no room, and so does a DELETE that stores more than it deletes. */
type Growth =
  | { readonly method: "GET"; readonly whenFull?: never }
  | { readonly method: "DELETE"; readonly whenFull?: "reserve" }
  | { readonly method: "POST" | "PUT"; readonly whenFull: WhenFull };

type Declared<P extends string, B> = RouteText &
  Growth & {
    readonly path: P;
    readonly query?: readonly string[];
    readonly body?: BodyRule<B>;
  };

/** Declares a route that needs a credential. */
export function defineRoute<const P extends string, K extends Caller["kind"], B = undefined>(
  route: Declared<P, B> & {
    readonly tokens: readonly K[];
    readonly takesIdempotencyKey?: true;
    readonly keepsCommands?: true;
    handle(call: Call<CallerOf<K>, B, P>): Promise<Answer>;
  },
): Route {
  return { query: [], body: undefined, ...route };
}

/** Declares a route that anybody may call. */
export function defineOpenRoute<const P extends string, B = undefined>(
  route: Declared<P, B> & { readonly limit?: AddressLimit; handle(call: Call<undefined, B, P>): Promise<Answer> },
): Route {
  return { query: [], body: undefined, ...route, tokens: undefined };
}

/** The credentials of A2's table. */
export const A = ["account"] as const;
export const A_S = ["account", "server"] as const;
export const A_S_U = ["account", "server", "user"] as const;

/** 200 with what was read. @param version of the object, where it has one */
export function ok(body: object | Readable, version?: number): Answer {
  return version === undefined ? { status: 200, body } : { status: 200, body, headers: { etag: etag(version) } };
}

/** 201 with what was made. @param location absent for what has no GET or DELETE */
export function created(body: object, location?: string, version?: number): Answer {
  const headers = { ...(location && { location }), ...(version !== undefined && { etag: etag(version) }) };
  return { status: 201, body, headers };
}

/** 200 with no body at all. */
export function done(version?: number): Answer {
  return version === undefined ? { status: 200 } : { status: 200, headers: { etag: etag(version) } };
}

// Chapters of the OpenAPI document: each route names one.

/** Chapters of the document, in their order. */
export const TAGS = {
  accounts: "Sign-up, log-in, and the account itself",
  ecosystems: "All environments, users and servers of one product or household, separate from all others",
  environments: "Homes, and the properties of all devices in one",
  zones: "Groups of devices and other zones, such as rooms",
  scenes: "Values of devices and zones under one name, set all at once",
  devices: "Devices, their services, and the properties of those",
  commands: "The results of writes",
  users: "The people who use your product, and the environments that they can use",
  servers: "Your own programs, with full access to an ecosystem",
  clients: "The hubs of an environment, each with its agent",
  pairings: "How a hub gets its token",
  webhooks: "Events sent to you",
  events: "Events as a stream",
  alerts: "Problems of hubs, batteries, webhooks and quotas, and who is notified",
  tokens: "The token of a request",
  service: "The catalogue of service classes, quotas, and the state of the service",
  records: "The requests, and who changed what",
  documents: "This document and the pages about it",
} as const;

export type Tag = keyof typeof TAGS;

// A body that is the same for all: hashed and compressed once, and sent as the bytes that it then is.

/** A file or page as it goes out. */
export interface Page {
  readonly status: number;
  /** Content type. */
  readonly type: string;
  readonly body: Buffer;
  /** The body under the codings that it was compressed with, once. */
  readonly coded: { readonly br?: Buffer; readonly gzip?: Buffer };
  /** Hash of the body, without quotes. */
  readonly hash: string;
  /** Of a page whose scripts make style sheets: a separate body for each answer, with the page's nonce. It is not cached. */
  readonly fresh?: () => { readonly body: Buffer; readonly nonce: string };
  /** What else of a request decides which page is at its address. */
  readonly vary?: "cookie";
  /** Whether its address changes with its content, so that it may be kept for ever. */
  readonly isImmutable: boolean;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Best but two: the last steps take twenty times as long, for a twentieth less. Who has the time, such as a build, brings it ready. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Types that are compressed already. */
const PACKED_TYPES = /^(?:font|image\/(?!svg))/;

/** A body with its hash, compressed unless its type is. @param ready the body under brotli, when somebody has had time for a better one */
export async function packed(
  body: Buffer,
  about: Pick<Page, "status" | "type" | "isImmutable" | "vary">,
  ready?: Buffer,
): Promise<Page> {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 16);
  if (PACKED_TYPES.test(about.type)) return { ...about, body, hash, coded: {} };
  const [br, gz] = await Promise.all([ready ?? brotli(body, BROTLI), zip(body, { level: 9 })]);
  return { ...about, body, hash, coded: { br, gzip: gz } };
}

/** Sends it under the best coding that both sides have, or 304 to a caller that has it. */
export function sendPacked(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coding = codingOf(page, request.headers["accept-encoding"]);
  const tag = coding ? `"${page.hash}-${coding}"` : `"${page.hash}"`;
  reply.header("vary", page.vary ? `accept-encoding, ${page.vary}` : "accept-encoding");
  reply.header("cache-control", page.isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  reply.type(page.type);
  if (page.status === 200) {
    reply.header("etag", tag);
    if (request.headers["if-none-match"]?.includes(page.hash)) return reply.code(304).send();
  }
  if (coding) reply.header("content-encoding", coding);
  reply.code(page.status);
  return reply.send((coding && page.coded[coding]) || page.body);
}

/** The best coding that both sides have. */
function codingOf(page: Page, accepted: string | string[] | undefined): "br" | "gzip" | undefined {
  const takes = (coding: string) =>
    String(accepted ?? "")
      .split(",")
      .some((each) => new RegExp(`^\\s*${coding}\\s*(?:;(?!\\s*q=0(?:\\.0*)?\\s*$).*)?$`, "i").test(each));
  return (["br", "gzip"] as const).find((coding) => page.coded[coding] && takes(coding));
}
