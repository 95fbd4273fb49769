/** Declares routes as data, so that the server cannot forget a check and the OpenAPI document is generated from them. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ErrorName } from "@porchlight/shared/kernel";
import { type AddressLimit, etag, hasAlready } from "@porchlight/shared/rest";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../../access/index.ts";
import type { BodyRule } from "./body-rules.ts";
import type { Call } from "./call.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Treatment of a write when its owner's storage quota is full: `refused` answers "Quota Exceeded"; `reserve`, for an action on a hub
 * that stores only an audit entry, does so once a reserve is used up too; `goesOn` is the reason why the write still runs.
 */
export type WhenFull = "refused" | "reserve" | { readonly goesOn: string };
export const COMMANDS_GO_ON: WhenFull = {
  goesOn: "devices are controlled as before; commands are limited in number and kept to a number of bytes",
};
export const LOG_INS_GO_ON: WhenFull = {
  goesOn: "an owner must log in to delete something; log-ins of an address and of an account are limited",
};

/** The answer of a route. */
export interface Answer {
  readonly status: number;
  /** An object that is serialised as JSON, or a stream of JSON; absent: no body. */
  readonly body?: object | Readable | undefined;
  /** In place of `body`: its JSON as a string, or as UTF-8 for a large one. */
  readonly text?: string | Buffer | undefined;
  /** Called when the socket has taken the whole answer. */
  readonly onSent?: (() => void) | undefined;
  /** In place of all else: a page that is the same for all callers. */
  readonly page?: Page | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Values of `set-cookie`. */
  readonly cookies?: readonly string[] | undefined;
  /** Type of the body when it is not JSON. */
  readonly media?: string | undefined;
}

/** The declaration of a route: the server acts on it, and the documents are generated from it. */
interface RouteText {
  /** Unique name in the OpenAPI document. */
  readonly operationId: string;
  /** Chapter of the OpenAPI document. */
  readonly tag: Tag;
  /** One line, in the imperative. */
  readonly summary: string;
  /** The body of the success, by status. */
  readonly answers: Readonly<Record<number, z.ZodType | undefined>>;
  /** Type of the bodies when they are not JSON. */
  readonly media?: string;
  /** Other text types of the body, sent when `accept` prefers one to JSON. */
  readonly otherMedia?: readonly string[];
  /** Whether the entity tag is the hash of a JSON body. */
  readonly isHashed?: true;
  /** Most items of a page, if more than the default. */
  readonly largestPage?: number;
  /** Whether all callers get the same page. */
  readonly isSameForAll?: boolean;
  /** Errors of the route's own rules. */
  readonly errors?: readonly ErrorName[];
  /** Status of the success that has a `location`. */
  readonly location?: 201 | 202;
  /** Whether it waits for devices as `prefer` requests. */
  readonly waitsForDevices?: true;
  /** Whether a success has an `x-command-id` always, or only for some bodies or devices. */
  readonly commandId?: "always" | "sometimes";
  /** Whether it answers `x-porchlight-trace` with `server-timing`. */
  readonly isTraced?: true;
  /** Whether it serves ranges of bytes: its success has an `etag`. */
  readonly hasRanges?: true;
  /** Whether the cookie of a log-in authorises it. */
  readonly readsCookie?: true;
  /** Whether it sets, renews or deletes the cookie of a log-in. */
  readonly setsCookie?: true;
  /** Whether an account needs a verified address for it, because it creates access that outlives the log-in (A1.3.1). */
  readonly needsVerifiedAddress?: true;
  /** Whether it accepts an account token, although it needs none. */
  readonly mayHaveSession?: true;
  /** Request headers besides those that the other fields imply. */
  readonly headers?: readonly "x-current-password"[];
}

/** A route whose types were checked at its declaration. */
export interface Route extends RouteText {
  readonly method: Method;
  /** Undefined when it stores nothing, or no more than it deletes. */
  readonly whenFull?: WhenFull | undefined;
  readonly path: string;
  /** Accepted kinds of caller; undefined: any caller, without a credential. */
  readonly tokens: readonly Caller["kind"][] | undefined;
  /** Whether `idempotency-key` makes a repeat safe: every POST with a credential, and every write of properties. */
  readonly takesIdempotencyKey?: true;
  /** Whether the commands that it sends are stored under a key, in place of each write: true for every PUT. */
  readonly keepsCommands?: true;
  /** Accepted query parameters. */
  readonly query: readonly string[];
  /** Rate limit by network, for a route without a credential. */
  readonly limit?: AddressLimit;
  readonly body: BodyRule<unknown> | undefined;
  handle(call: Call<never, never, never>): Promise<Answer>;
}

type CallerOf<K extends Caller["kind"]> = Extract<Caller, { kind: K }>;

/** A write must declare its treatment when storage is full, and so must a DELETE that stores more than it deletes. */
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

/** Declares a route that needs no credential. */
export function defineOpenRoute<const P extends string, B = undefined>(
  route: Declared<P, B> & { readonly limit?: AddressLimit; handle(call: Call<undefined, B, P>): Promise<Answer> },
): Route {
  return { query: [], body: undefined, ...route, tokens: undefined };
}

/** The credentials in A2's table. */
export const A = ["account"] as const;
export const A_S = ["account", "server"] as const;
export const A_S_U = ["account", "server", "user"] as const;

/** 200 with a resource. @param version of the object, if it has one */
export function ok(body: object | Readable, version?: number): Answer {
  return version === undefined ? { status: 200, body } : { status: 200, body, headers: { etag: etag(version) } };
}

/** 201 with a new resource. @param location absent for a resource without GET and DELETE */
export function created(body: object, location?: string, version?: number): Answer {
  const headers = { ...(location && { location }), ...(version !== undefined && { etag: etag(version) }) };
  return { status: 201, body, headers };
}

/** 200 without a body. */
export function done(version?: number): Answer {
  return version === undefined ? { status: 200 } : { status: 200, headers: { etag: etag(version) } };
}

/** Chapters of the OpenAPI document, in its order; each route names one. */
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

/** A file or page that is the same for all callers: hashed and compressed once, and then sent as these bytes. */
export interface Page {
  readonly status: number;
  /** Content type. */
  readonly type: string;
  readonly body: Buffer;
  /** The compressed body by coding. */
  readonly coded: { readonly br?: Buffer; readonly gzip?: Buffer };
  /** Hash of the body, without quotes. */
  readonly hash: string;
  /** For a page whose scripts create style sheets: makes a body with its own nonce for each answer. Such a page is not cached. */
  readonly fresh?: () => { readonly body: Buffer; readonly nonce: string };
  /** Request header that also selects the page at its path. */
  readonly vary?: "cookie";
  /** Whether its path changes with its content, so that caches may keep it for ever. */
  readonly isImmutable: boolean;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Two below the maximum: the last steps take twenty times as long to save a twentieth. A build brings its files compressed. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Types that are already compressed. */
const PACKED_TYPES = /^(?:font|image\/(?!svg))/;

/** A body with its hash, compressed unless its type already is. @param ready the body under brotli, if a build has made a better one */
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

/** Sends the page in the best coding that the client accepts, or 304 to a client that has it. */
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

/** The best coding that the page has and the client accepts. */
function codingOf(page: Page, accepted: string | string[] | undefined): "br" | "gzip" | undefined {
  const takes = (coding: string) =>
    String(accepted ?? "")
      .split(",")
      .some((each) => new RegExp(`^\\s*${coding}\\s*(?:;(?!\\s*q=0(?:\\.0*)?\\s*$).*)?$`, "i").test(each));
  return (["br", "gzip"] as const).find((coding) => page.coded[coding] && takes(coding));
}

/** The answer to a GET: 304 without a body when the client has this version already. */
export function unlessMatch(header: string | undefined, answer: Answer): Answer {
  const tag = answer.headers?.etag;
  return hasAlready(header, tag) ? { status: 304, headers: { etag: tag } } : answer;
}
