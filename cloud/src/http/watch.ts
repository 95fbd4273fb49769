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
  }
}

/** What is seen of a request whose caller went away before its answer, as nginx has it; it is never sent. */
const CALLER_LEFT = 499;

export function watchRequests(server: FastifyInstance, watchers: readonly RequestWatcher[]): void {
  server.decorateRequest("problem", null);
  if (watchers.length === 0) return;
  const tell = (request: FastifyRequest, status: number, durationMs: number) => {
    const seen = seenOf(request, status, durationMs);
    for (const watcher of watchers) watcher.observe(seen);
  };
  server.addHook("onResponse", (request, reply, done) => {
    tell(request, reply.statusCode, reply.elapsedTime);
    done();
  });
  // Such an answer is never written, so that it never ends.
  server.addHook("onSend", (request, reply, _payload, done) => {
    if (hasLeft(reply)) tell(request, CALLER_LEFT, reply.elapsedTime);
    done();
  });
}

/** Whether the receiver of the answer has gone. */
export function hasLeft(reply: FastifyReply): boolean {
  return reply.raw.destroyed;
}

function seenOf(request: FastifyRequest, status: number, durationMs: number): SeenRequest {
  const { originalUrl, headers } = request;
  const header = headers["x-api-version"];
  const route = request.routeOptions.url ?? "";
  return {
    requestId: request.id,
    method: request.method,
    route,
    // The code of a pairing or a log-in is as good as a password for its few minutes.
    path: route.includes(":userCode") ? route : withoutQuery(originalUrl),
    status,
    durationMs,
    problem: request.problem ?? undefined,
    caller: request.caller ?? undefined,
    pathVersion: versionOf(originalUrl),
    headerVersion: typeof header === "string" ? header : undefined,
  };
}

function withoutQuery(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
