/** Mounts declared routes in the server: credential, kind, query, body, in the contract's order (1.4), then the route itself. */
import { Readable } from "node:stream";
import { isNamed, NamedError } from "@porchlight/shared/kernel";
import {
  checkQuery,
  PROBLEM_TYPE,
  type RateLimits,
  readIdempotencyKey,
  requireOneCredential,
  timesGiven,
} from "@porchlight/shared/rest";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, IdempotentAttempt, Presenter } from "../../access/index.ts";
import type { AnonymousRequests } from "../anonymous-requests.ts";
import { networkKey } from "../client-addresses.ts";
import type { OwnerTurns } from "../owner-turns.ts";
import { type BodyRule, type ReadBody, readBody } from "./body-rules.ts";
import { Call, pathOf } from "./call.ts";
import { type Idempotency, ShownResources } from "./idempotency.ts";
import { type Answer, COMMANDS_GO_ON, type Route, sendPacked, type WhenFull } from "./route.ts";

/** Resolves credentials to their owners. */
export interface Authenticates {
  /** @throws "Token Missing", "Token Invalid", "Token Expired" */
  authenticate(header: string | undefined): Promise<Presenter>;
  /** Resolves a cached credential that is still valid, synchronously; undefined for any other. */
  returning(header: string | undefined): Presenter | undefined;
  /** Whether the credential is cached, so that checking it costs nothing. */
  knows(header: string | undefined): boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route reads the body. */
    takesBody?: boolean;
    /** Whether the route sends commands to devices: a request that is rejected before its handler sent none. */
    sendsCommands?: boolean;
    /** Most members and elements of a body; default: the API's general limit. */
    mostValues?: number;
  }
  interface FastifyRequest {
    /** Set before the body is read; null without a credential. */
    caller: Caller | null;
    /** The account that the caller belongs to, or its ecosystem when there is none; null without a caller. */
    ownerId: string | null;
    /** Network address of the client, as far as proxies are trusted. */
    readonly address: string;
    /** Time of arrival, monotonic ms. */
    arrivedAt: number;
    /** Longest possible time since the arrival. */
    readonly waitedMs: number;
  }
}

/** The checks that every request passes before its route. */
export interface RequestGuards {
  readonly authenticator: Authenticates;
  /** Whether an account's address is verified. Undefined: no route requires it. */
  readonly isVerified?: ((accountId: string) => Promise<boolean>) | undefined;
  /** Undefined: no rate limits. */
  readonly limits?: RateLimits | undefined;
  /** Undefined: the processor time of anonymous requests is not limited. */
  readonly anonymous?: AnonymousRequests | undefined;
  /** Undefined: the processor time of an owner is not limited. */
  readonly turns?: OwnerTurns | undefined;
  /** Admits the data that an owner stores; undefined: no limit. @throws "Quota Exceeded" */
  readonly storage?:
    | { readonly require: (ownerId: string, bodyBytes: number, whenFull: Extract<WhenFull, string>) => void }
    | undefined;
  /** Undefined: a repeat is a request like any other. */
  readonly idempotency?: Idempotency | undefined;
}

/** Most values of a body without a credential: no such body needs even ten. */
const ANYBODYS_VALUES = 100;
/** Assumed size of a body without `content-length`. */
const CHUNKED_BYTES = 65_536;
const JSON_TYPE = "application/json; charset=utf-8";
const NO_BODY: ReadBody<undefined> = { body: undefined, readBack: {} };

export function mount(server: FastifyInstance, routes: readonly Route[], keepers: RequestGuards): void {
  server.decorateRequest("caller", null);
  server.decorateRequest("ownerId", null);
  const resources = new ShownResources(routes);
  for (const route of routes) {
    server.route({
      method: route.method,
      url: route.path,
      config: {
        takesBody: route.body !== undefined,
        takesToken: route.tokens !== undefined,
        sendsCommands: route.whenFull === COMMANDS_GO_ON,
        ...(!route.tokens && { mostValues: ANYBODYS_VALUES }),
      },
      onRequest: (request, reply, next) => {
        const goOn = () => {
          checkQuery(request.query, route.query);
          // A route without a body accepts any content type, or none.
          if (!route.body) request.raw.headers["content-type"] = undefined;
        };
        const waiting = admit(route, keepers, request, reply);
        if (waiting !== undefined) waiting.then(goOn).then(() => next(), next);
        else {
          goOn();
          next();
        }
      },
      handler: (request, reply) =>
        measured(keepers, request, () => answer({ route, resources }, keepers, request, reply)),
    });
  }
}

/** Runs work for a request, and charges its time up to its first wait to the owner, or to the budget of anonymous requests. */
export function measured<T>({ anonymous, turns }: RequestGuards, request: FastifyRequest, work: () => T): T {
  if (request.ownerId !== null && turns) return turns.measure(request.ownerId, work);
  return request.spends !== null && anonymous ? anonymous.measure(request, work) : work();
}

/**
 * Checks credential, rate limit, kind of token, share of the processor, and verified address.
 * @returns undefined when all checks pass at once, as for a returning caller
 */
function admit(
  { tokens, limit, needsVerifiedAddress }: Route,
  keepers: RequestGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  const { limits, turns, isVerified } = keepers;
  if (!tokens) {
    if (limit) limits?.count(limit, networkKey(request.address), reply);
    return undefined;
  }
  const take = (presenter: Presenter) => {
    limits?.countToken(presenter.tokenId, presenter.ownerId, reply);
    if (presenter.kind === "client" || !tokens.includes(presenter.kind)) throw wrongKind(tokens, presenter.kind);
    request.caller = presenter;
    request.ownerId = presenter.ownerId;
    const turn = turns?.admit(presenter.ownerId, reply);
    if (!needsVerifiedAddress || !isVerified) return turn;
    const verified = () => requireVerified(presenter, isVerified);
    return turn === undefined ? verified() : turn.then(verified);
  };
  const { rawHeaders } = request.raw;
  // Several headers are rejected where a credential is looked up.
  const isOne = timesGiven(rawHeaders, "authorization") === 1;
  const returning = isOne ? keepers.authenticator.returning(request.headers.authorization) : undefined;
  if (!returning) return identify(keepers, request, reply).then(take);
  return take(returning);
}

/** Servers and users pass: their account had a verified address when it created them. @throws "Address Not Verified" */
async function requireVerified(caller: Caller, isVerified: (accountId: string) => Promise<boolean>): Promise<void> {
  if (caller.kind === "account" && !(await isVerified(caller.accountId))) throw new NamedError("Address Not Verified");
}

/** Authenticates a request: an uncached credential spends the anonymous budget, and a missing or invalid one counts by its network. */
async function identify(
  { authenticator, limits, anonymous }: RequestGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Presenter> {
  const { authorization } = request.headers;
  const isNew = anonymous && !authenticator.knows(authorization);
  if (isNew) await anonymous.admitNewToken(request);
  try {
    requireOneCredential(request.raw.rawHeaders);
    const presenter = await authenticator.authenticate(authorization);
    if (isNew) anonymous.forgive(request);
    return presenter;
  } catch (error) {
    if (isNamed(error) && error.status === 401) limits?.count("credential", networkKey(request.address), reply);
    throw error;
  }
}

/** Handles the body, the idempotency key, and the route itself. */
async function answer(
  { route, resources }: { readonly route: Route; readonly resources: ShownResources },
  keepers: RequestGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { idempotency, turns, storage } = keepers;
  if (route.tokens && route.body) await requireStillGood(keepers.authenticator, request);
  const read = route.body ? readBody(route.body satisfies BodyRule<unknown>, request.body) : NO_BODY;
  const caller = callerOf(route, request);
  // Checked here, because a replay stores nothing.
  const handle = async (attempt?: IdempotentAttempt) => {
    const { whenFull } = route;
    if (typeof whenFull === "string" && request.ownerId !== null)
      storage?.require(request.ownerId, bodyBytes(request), whenFull);
    // Trusted: defineRoute has checked the handler against its declaration.
    const call = new Call(request, reply, { caller, read, attempt, turns }) as unknown as Call<never, never, never>;
    return route.handle(call);
  };
  const key = idempotency && route.takesIdempotencyKey ? keyOf(request) : undefined;
  if (idempotency === undefined || key === undefined || caller === undefined)
    return send(await handle(), request, reply);
  const { method } = route;
  const path = decodeURIComponent(pathOf(request));
  const { body, id: requestId } = request;
  const keepsCommands = route.keepsCommands ?? method !== "POST";
  const resource = {
    isShown: (answer: Answer) => resources.isShown(route, answer),
    read: (location: string) => resources.read(location, { request, reply, caller }),
  };
  const keyed = { key, caller, method, path, body, requestId, keepsCommands, resource };
  return send(await idempotency.once(keyed, handle), request, reply);
}

/**
 * Checks the credential again: a body can take half a minute, and the credential may end meanwhile.
 * @throws "Token Invalid", "Token Expired"
 */
async function requireStillGood(authenticator: Authenticates, { headers }: FastifyRequest): Promise<void> {
  if (!authenticator.returning(headers.authorization)) await authenticator.authenticate(headers.authorization);
}

/** Size of the body as it was sent; a chunked one counts as a large one. */
function bodyBytes({ headers }: FastifyRequest): number {
  return Number(headers["content-length"] ?? CHUNKED_BYTES);
}

/** @throws "Idempotency Key Invalid" */
function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers["idempotency-key"];
  return key === undefined
    ? undefined
    : readIdempotencyKey(String(key), timesGiven(request.raw.rawHeaders, "idempotency-key"));
}

/** The caller, which requests share; for a request that may write, a copy with the request's address for the audit. */
function callerOf(route: Route, request: FastifyRequest): Caller | undefined {
  const { caller } = request;
  if (!caller || route.method === "GET") return caller ?? undefined;
  return { ...caller, address: request.address };
}

function send(answer: Answer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, text, onSent, page, headers, cookies = [], media } = answer;
  if (page) return sendPacked(page, request, reply);
  reply.code(status);
  if (onSent) reply.raw.once("finish", onSent);
  if (headers) reply.headers(headers);
  for (const cookie of cookies) reply.header("set-cookie", cookie);
  if (body === undefined && text === undefined) return reply.send();
  const type = media ?? (status < 400 ? JSON_TYPE : PROBLEM_TYPE);
  reply.header("content-type", type);
  // The framework would add a charset to a string whose type has none, so it gets bytes. A string is sent in one piece with the headers.
  if (text !== undefined) return reply.send(type === JSON_TYPE ? text : Buffer.from(text));
  return reply.send(body instanceof Readable ? body : JSON.stringify(body));
}

function wrongKind(accepted: readonly Caller["kind"][], presented: Presenter["kind"]): NamedError {
  if (presented === "client")
    return new NamedError("Token Type Not Allowed", "A client token is accepted at the tunnel only.");
  return new NamedError(
    "Token Type Not Allowed",
    `This route takes ${accepted.join(", ")} tokens. The request has a ${presented} token.`,
  );
}
