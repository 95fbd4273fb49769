/** Tells of every request once it has been answered. Whoever watches counts in memory: nothing waits for it. */
import type { ErrorName } from "@porchlight/shared/kernel";
import { versionOf } from "@porchlight/shared/rest";
import type { FastifyInstance } from "fastify";
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

export function watchRequests(server: FastifyInstance, watchers: readonly RequestWatcher[]): void {
  server.decorateRequest("problem", null);
  if (watchers.length === 0) return;
  server.addHook("onResponse", (request, reply, done) => {
    const { originalUrl, headers } = request;
    const header = headers["x-api-version"];
    const route = request.routeOptions.url ?? "";
    const seen: SeenRequest = {
      requestId: request.id,
      method: request.method,
      route,
      // The code of a pairing is as good as a password for its few minutes.
      path: route.includes(":userCode") ? route : withoutQuery(originalUrl),
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      problem: request.problem ?? undefined,
      caller: request.caller ?? undefined,
      pathVersion: versionOf(originalUrl),
      headerVersion: typeof header === "string" ? header : undefined,
    };
    for (const watcher of watchers) watcher.observe(seen);
    done();
  });
}

function withoutQuery(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
