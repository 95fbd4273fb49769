/** Puts declared routes into the server: credential, kind, query, body, in the contract's order (1.4), then the route itself. */
import { Readable } from "node:stream";
import { NamedError } from "@porchlight/shared/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../access/index.ts";
import { type BodyRule, type ReadBody, readBody } from "./body-rules.ts";
import { Call } from "./call.ts";
import { checkQuery } from "./query.ts";
import type { Answer, Route } from "./route.ts";

/** Who knows whose credential it is. */
export interface Authenticates {
  /** @throws "Token Missing", "Token Invalid", "Token Expired", "Token Type Not Allowed" */
  authenticate(header: string | undefined): Promise<Caller>;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether a body is of any interest to the route. */
    takesBody?: boolean;
  }
  interface FastifyRequest {
    /** Set before the body is read; null where nobody needs to be known. */
    caller: Caller | null;
  }
}

const NO_BODY: ReadBody<undefined> = { body: undefined, readBack: {} };

export function mount(server: FastifyInstance, routes: readonly Route[], authenticator: Authenticates): void {
  server.decorateRequest("caller", null);
  for (const route of routes) {
    const { tokens } = route;
    server.route({
      method: route.method,
      url: route.path,
      config: { takesBody: route.body !== undefined },
      onRequest: async (request) => {
        if (tokens) {
          request.caller = await authenticator.authenticate(onlyCredential(request));
          if (!tokens.includes(request.caller.kind)) throw wrongKind(tokens, request.caller.kind);
        }
        checkQuery(request.query, route.query);
      },
      handler: (request, reply) => answer(route, request, reply),
    });
  }
}

async function answer(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const read = route.body ? readBody(route.body satisfies BodyRule<unknown>, request.body) : NO_BODY;
  // defineRoute has checked that the handler takes what its declaration lets through.
  const call = new Call(request, callerOf(route, request), read) as unknown as Call<never, never, never>;
  return send(await route.handle(call), reply);
}

/** Callers are shared between requests; one whose request may write is seen with the address of that request, for the audit. */
function callerOf(route: Route, request: FastifyRequest): Caller | undefined {
  const { caller } = request;
  if (!caller || route.method === "GET") return caller ?? undefined;
  return { ...caller, address: request.ip };
}

function send({ status, body, headers }: Answer, reply: FastifyReply): FastifyReply {
  reply.code(status);
  if (headers) reply.headers(headers);
  if (body === undefined) return reply.send();
  reply.type("application/json; charset=utf-8");
  return reply.send(body instanceof Readable ? body : JSON.stringify(body));
}

/** Node keeps the first of several and drops the rest in silence; the contract does not. @throws "Token Invalid" */
function onlyCredential(request: FastifyRequest): string | undefined {
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 13 && name.toLowerCase() === "authorization") count += 1;
  }
  if (count > 1) throw new NamedError("Token Invalid", "The request has more than one credential.");
  return request.headers.authorization;
}

function wrongKind(accepted: readonly Caller["kind"][], presented: Caller["kind"]): NamedError {
  return new NamedError(
    "Token Type Not Allowed",
    `This route takes ${accepted.join(", ")} tokens; the one presented is a ${presented} token.`,
  );
}
