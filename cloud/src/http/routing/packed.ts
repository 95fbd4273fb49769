/** A body that is the same for all: hashed and compressed once, and sent as the bytes that it then is. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

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
