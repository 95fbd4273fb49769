/** Tells of every request once it has been answered, or its caller has gone. The watcher counts in memory: nothing waits for it. */
import type { ErrorName } from "@porchlight/shared/kernel";
import { versionOf } from "@porchlight/shared/rest";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SeenRequest } from "../ops/index.ts";

export interface RequestWatcher {
  observe(seen: SeenRequest): void;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Name of the error that it is answered with. */
    problem: ErrorName | null;
    /** The document that it is answered with then. */
    problemDocument: object | null;
  }
}

/** What is seen of a request whose caller went away before its answer, as nginx has it; it is never sent. */
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
  // Such an answer is never written, so that it never ends.
  server.addHook("onSend", (request, reply, _payload, done) => {
    if (hasLeft(reply)) tell(request, reply, CALLER_LEFT);
    done();
  });
}

/** Whether the receiver of the answer has gone. */
export function hasLeft(reply: FastifyReply): boolean {
  return reply.raw.destroyed;
}

function seenOf(request: FastifyRequest, reply: FastifyReply, status: number): SeenRequest {
  const { originalUrl, headers, problemDocument, caller } = request;
  const command = reply.getHeader("x-command-id");
  const header = headers["x-api-version"];
  const route = request.routeOptions.url ?? "";
  // The code of a pairing or a log-in is as good as a password for its few minutes.
  const isSecret = route.includes(":userCode");
  return {
    requestId: request.id,
    method: request.method,
    route,
    path: isSecret ? route : withoutQuery(originalUrl),
    status,
    durationMs: reply.elapsedTime,
    problem: request.problem ?? undefined,
    // What comes without a caller is in nobody's log.
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

// What the request log keeps of a problem document: a bounded text in which no secret stands, whatever the caller had sent.

/** Characters of JSON. A document with many field errors may be longer. */
const LONGEST = 2_048;
/** Tokens, secrets of webhooks, and what stands before the `@` of an address with a password. */
const SECRETS = [/plt_[a-z]+_[0-9A-Za-z]+/g, /whsec_[A-Za-z0-9+/=]+/g, /(?<=:\/\/)[^\s/"@\\]+(?=@)/g] as const;

/** @param document as it was sent @returns JSON */
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
