/**
 * Notifies watchers of every request that was answered, or whose client has disconnected. Watchers count in memory, so nothing waits
 * for them.
 */
import type { ErrorName } from "@porchlight/shared/kernel";
import { versionOf } from "@porchlight/shared/rest";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SeenRequest } from "../ops/index.ts";

export interface RequestWatcher {
  observe(seen: SeenRequest): void;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Name of the error in the answer. */
    problem: ErrorName | null;
    /** The problem document of that answer. */
    problemDocument: object | null;
  }
}

/** Status recorded when the client disconnects before its answer, as in nginx; it is never sent. */
const CALLER_LEFT = 499;

export function watchRequests(server: FastifyInstance, watchers: readonly RequestWatcher[]): void {
  server.decorateRequest("problem", null);
  server.decorateRequest("problemDocument", null);
  if (watchers.length === 0) return;
  const tell = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    const seen = seenOf(request, reply, status);
    for (const watcher of watchers) watcher.observe(seen);
  };
  server.addHook("onResponse", (request, reply, done) => {
    tell(request, reply, reply.statusCode);
    done();
  });
  // An answer to a closed connection is never written, so it never finishes.
  server.addHook("onSend", (request, reply, _payload, done) => {
    if (hasLeft(reply)) tell(request, reply, CALLER_LEFT);
    done();
  });
}

/** Whether the client has disconnected. */
export function hasLeft(reply: FastifyReply): boolean {
  return reply.raw.destroyed;
}

function seenOf(request: FastifyRequest, reply: FastifyReply, status: number): SeenRequest {
  const { originalUrl, headers, problemDocument, caller } = request;
  const command = reply.getHeader("x-command-id");
  const header = headers["x-api-version"];
  const route = request.routeOptions.url ?? "";
  // The code of a pairing or a log-in is as secret as a password for its few minutes.
  const isSecret = route.includes(":userCode");
  return {
    requestId: request.id,
    method: request.method,
    route,
    path: isSecret ? route : withoutQuery(originalUrl),
    status,
    durationMs: reply.elapsedTime,
    problem: request.problem ?? undefined,
    // A request without a caller belongs to no account's log.
    problemBody: problemDocument && caller && !isSecret ? keptProblem(problemDocument) : undefined,
    commandId: typeof command === "string" ? command : undefined,
    caller: caller ?? undefined,
    pathVersion: versionOf(originalUrl),
    headerVersion: typeof header === "string" ? header : undefined,
  };
}

function withoutQuery(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** Longest problem document in the request log, characters of JSON. One with many field errors can be longer. */
const LONGEST = 2_048;
/** Tokens, webhook secrets, and the credentials before the `@` of a URL. */
const SECRETS = [/plt_[a-z]+_[0-9A-Za-z]+/g, /whsec_[A-Za-z0-9+/=]+/g, /(?<=:\/\/)[^\s/"@\\]+(?=@)/g] as const;

/**
 * Makes the text of a problem document for the request log: of limited length, and without secrets that the caller sent.
 * @param document as sent @returns JSON
 */
export function keptProblem(document: object): string {
  const text = redacted(JSON.stringify(document));
  if (text.length <= LONGEST) return text;
  const { errors: _, ...rest } = document as { readonly errors?: unknown };
  const short = redacted(JSON.stringify(rest));
  if (short.length <= LONGEST) return short;
  const { type, title, status, instance } = document as Readonly<Record<string, unknown>>;
  return JSON.stringify({ type, title, status, instance });
}

function redacted(text: string): string {
  return SECRETS.reduce((safe, secret) => safe.replaceAll(secret, "…"), text);
}
