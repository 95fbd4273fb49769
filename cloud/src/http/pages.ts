/** Serves pages for people outside the API, with isolating headers. The pages themselves are passed in. */
import { NamedError } from "@porchlight/shared/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Page, sendPacked } from "./routing/route.ts";

/** The reader of a page, as far as the request shows without a query to the store. */
export interface Reader {
  /** Origin at which the reader reaches the service: `http://HOST:PORT`. */
  readonly origin: string;
  /** Whether the browser sent the cookie of a log-in, which may have ended, and did not ask for the plain page (`?plain`). */
  readonly hasLogIn: boolean;
}

/** A source of pages. */
export interface Pages {
  /** @returns undefined when there is no page */
  find(path: string, reader: Reader): Promise<Page | undefined>;
  /** The page for people at an unknown path. */
  notFound(path: string, reader: Reader): Promise<Page>;
}

const LOG_IN = /(?:^|; *)(?:__Host-)?porchlight=./;
const PLAIN = /\?plain$/;
const PAGE_METHODS = ["GET", "HEAD"];
const HOST = /^[A-Za-z0-9.-]+(:\d+)?$|^\[[0-9a-fA-F:.]+\](:\d+)?$/;

/** Allows no other origins, no inline code and no frames; calls go to this service only. @param styles more sources of style sheets */
const policy = (...styles: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(" "),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": policy(),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * Answers a path without a route of the API, if it has a page or the request comes from a browser.
 * @returns undefined otherwise @throws "Method Not Allowed" for a page that is requested with another method than GET or HEAD
 */
export async function answerPage(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
): Promise<FastifyReply | undefined> {
  const path = pathOf(request.url);
  if (/^\/(?:api|v\d[^/]*)(?:\/|$)/.test(path)) return undefined;
  const isRead = PAGE_METHODS.includes(request.method);
  const reader = { origin: publicUrl ?? originOf(request), hasLogIn: hasLogIn(request) };
  const page = await pages.find(path, reader);
  if (page && !isRead) {
    reply.header("allow", PAGE_METHODS.join(", "));
    throw new NamedError("Method Not Allowed");
  }
  if (page) return sendPage(page, request, reply);
  return isRead && wantsHtml(request) ? sendPage(await pages.notFound(path, reader), request, reply) : undefined;
}

function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (page.fresh) return sendFresh(page, page.fresh(), reply);
  return sendPacked(page, request, reply.headers(SECURITY_HEADERS));
}

function sendFresh(page: Page, { body, nonce }: { body: Buffer; nonce: string }, reply: FastifyReply): FastifyReply {
  reply.headers({ ...SECURITY_HEADERS, "content-security-policy": policy(`'nonce-${nonce}'`) });
  return reply.header("cache-control", "no-store").code(page.status).type(page.type).send(body);
}

function pathOf(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** The reader's origin, if it is safe to show in a page. */
function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${HOST.test(request.host) ? request.host : "localhost"}`;
}

/** Whether the cookie is present; it may be invalid, because the page that is served requests a token itself. */
function hasLogIn({ headers, url }: FastifyRequest): boolean {
  return LOG_IN.test(headers.cookie ?? "") && !PLAIN.test(url);
}

/** Whether a browser displays the answer: it names the type in `accept`, while programs accept any. */
function wantsHtml(request: FastifyRequest): boolean {
  return /\btext\/html\b/.test(request.headers.accept ?? "");
}
