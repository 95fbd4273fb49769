/** The HTTP server: the rules for every request, on any route. It knows no feature. */
import type { Server, ServerOptions } from "node:http";
import { Server as NetServer } from "node:net";
import { isNamed, type Log, NamedError, type Random } from "@porchlight/shared/kernel";
import {
  ApiVersions,
  CORS_HEADERS,
  hostProblem,
  NOT_GUESSED_AT,
  parseBody,
  preflightHeaders,
  problemBody,
  problemHeaders,
  RouteIndex,
  rawProblem,
  readRequestId,
  refuseExpectation,
  wrongType,
} from "@porchlight/shared/rest";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Fastify from "fastify";
import type { Arrivals } from "./arrivals.ts";
import { Addresses, networkKey } from "./client-addresses.ts";
import type { LateRefusals } from "./late-refusals.ts";
import { answerPage, type Pages } from "./pages.ts";
import { measured, mount, type RequestGuards } from "./routing/mount.ts";
import type { Route } from "./routing/route.ts";
import { TLS_OPTIONS, type TlsPair } from "./tls.ts";
import { hasLeft, type RequestWatcher, watchRequests } from "./watch.ts";

/** Largest body, bytes. */
const BODY_LIMIT = 256 * 1024;
/** A request must be complete within this time, ms. */
const REQUEST_TIMEOUT = 30_000;
/** A TLS handshake must be complete within this time, ms. */
const HANDSHAKE_TIMEOUT = 10_000;

export interface ServerDeps extends RequestGuards {
  /** Routes of the newest version. */
  readonly routes: readonly Route[];
  /** Routes of older versions, by version. */
  readonly older?: Readonly<Record<string, readonly Route[]>> | undefined;
  /** Default: the versions of the table. */
  readonly versions?: ApiVersions | undefined;
  /** Notified of every answer. */
  readonly watchers?: readonly RequestWatcher[];
  /** Determines client addresses by the trusted proxies; default: no proxy is trusted. */
  readonly addresses?: Addresses | undefined;
  /** Pages for people, outside the API; default: none. */
  readonly pages?: Pages | undefined;
  readonly log: Log;
  /** Head and body of a request must arrive within this time, ms; default: 30 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Makes an ID for a request that brings none. */
  readonly requestId: () => string;
  /** URL of the service, without `/api`, if configured. */
  readonly publicUrl?: string | undefined;
  /** With it the server accepts TLS only. */
  readonly tls?: TlsPair | undefined;
  /** Whether connections must close after their current answer. */
  readonly isStopping?: () => boolean;
  /** Delays refusals that come too often; default: all are answered at once. */
  readonly lateRefusals?: LateRefusals | undefined;
  /** Estimates when requests arrived; default: when they were read. */
  readonly arrivals?: Arrivals | undefined;
  /** Returns a promise while this node lacks changes of other nodes; API requests wait for it. */
  readonly catchUp?: ((outcome?: "not_sent") => Promise<void> | undefined) | undefined;
}

/** Builds the server; it does not listen yet. */
export function buildServer(deps: ServerDeps): FastifyInstance {
  const versions = deps.versions ?? new ApiVersions();
  const older = Object.entries(deps.older ?? {});
  const routes = [...deps.routes, ...older.flatMap(([version, table]) => table.map(under(version)))];
  const { anonymous, lateRefusals, addresses = new Addresses() } = deps;
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = () => void answerProblem(deps, error, request, reply);
    if (!lateRefusals || !isNamed(error, "Rate Limit Exceeded")) return answer();
    const cut = () => void reply.hijack().raw.destroy();
    lateRefusals.refuse(networkKey(addresses.of(request.raw)), { answer, cut });
  };
  const requestTimeout = deps.requestTimeoutMs ?? REQUEST_TIMEOUT;
  const http: ServerOptions = {
    // Checked below instead, so that a missing host gets an answer in the usual form.
    requireHostHeader: false,
    // Other protocols, such as h2c, are ignored and answered as HTTP/1.1; only a WebSocket is an upgrade.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    // Must be shorter than the request timeout, else Node sets no limit on a body.
    headersTimeout: requestTimeout / 2,
    connectionsCheckingInterval: requestTimeout / 6,
  };
  const https = deps.tls && { ...http, ...deps.tls, ...TLS_OPTIONS, handshakeTimeout: HANDSHAKE_TIMEOUT };
  const server = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout,
    return503OnClosing: false,
    http,
    // Here a server with TLS is used only as one of Node's HTTP servers.
    ...(https && ({ https } as object)),
    forceCloseConnections: "idle",
    requestIdHeader: false,
    // A reference has up to 1,024 characters, each up to 12 bytes in a URL; Node's limit on the head is the real bound.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    genReqId: (raw) => readRequestId(raw.headers["x-request-id"]) ?? deps.requestId(),
    rewriteUrl: (raw) => versions.rewrite(raw.url ?? "/"),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(versions, request, reply);
      if (anonymous) anonymous.admit(request, (refusal) => fail(refusal ?? error, request, reply));
      else fail(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      // No answer is possible during the handshake.
      const inHandshake = /^(ERR_SSL|ERR_TLS|EPROTO)/.test(error.code);
      if (error.code === "ECONNRESET" || inHandshake || !socket.writable) socket.destroy();
      else socket.end(rawProblem(error.code, deps.requestId()));
    },
  });
  server.server.on("checkExpectation", (_request, response) => refuseExpectation(response, deps.requestId()));
  server.addHook("onRequest", (request, reply, next) => {
    setCommonHeaders(versions, request, reply);
    if (deps.tls) reply.header("strict-transport-security", "max-age=31536000");
    next(hostProblem(request.raw));
  });
  anonymous?.watch(server);
  if (lateRefusals) {
    server.addHook("preClose", (done) => {
      lateRefusals.release();
      done();
    });
  }
  const { isStopping } = deps;
  if (isStopping) {
    server.addHook("onSend", (_request, reply, _payload, next) => {
      if (isStopping()) reply.header("connection", "close");
      next();
    });
  }
  const { arrivals } = deps;
  server.decorateRequest("arrivedAt", 0);
  server.decorateRequest("waitedMs", {
    getter() {
      return arrivals?.since(this.arrivedAt) ?? 0;
    },
  });
  if (arrivals) {
    server.addHook("onRequest", (request, _reply, next) => {
      request.arrivedAt = arrivals.arrival();
      next();
    });
  }
  const { catchUp } = deps;
  if (catchUp) {
    server.addHook("onRequest", async (request) => {
      if (!request.url.startsWith("/api")) return;
      await catchUp(request.routeOptions.config.sendsCommands ? "not_sent" : undefined);
    });
  }
  parseBodies(server, deps);
  server.setErrorHandler(fail);
  server.decorateRequest("address", {
    getter() {
      return addresses.of(this.raw);
    },
  });
  watchRequests(server, deps.watchers ?? []);
  answerUnknownPaths(server, { ...deps, versions, paths: new RouteIndex(routes) }, fail);
  watchSending(server, deps);
  mount(server, routes, deps);
  return server;
}

/** Mounts a route of an older version under its path segment. */
const under = (version: string) => (route: Route) => ({ ...route, path: `/${version}${route.path}` });

function setCommonHeaders(versions: ApiVersions, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(versions.headers(request.originalUrl)).headers(NOT_GUESSED_AT).header("x-request-id", request.id);
  // ETags cover writable fields only, so a 304 could show a dead hub as online.
  reply.header("cache-control", "no-store");
  if (request.headers.origin !== undefined && request.url.startsWith("/api")) reply.headers(CORS_HEADERS);
}

/** Registered as the last hook of its kind, so that it sees the final answer. */
function watchSending(server: FastifyInstance, guards: RequestGuards): void {
  server.addHook("onSend", (request, reply, payload, send) => {
    const { ownerId } = request;
    const isWhole = typeof payload === "string" || payload instanceof Buffer;
    if (ownerId !== null && isWhole && guards.turns)
      reply.raw.once("close", guards.turns.sending(ownerId, Buffer.byteLength(payload)));
    measured(guards, request, send);
  });
}

/** Parses bodies. Errors are reported in order: content type, presence, shape. */
function parseBodies(server: FastifyInstance, guards: RequestGuards): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    const { takesBody, mostValues } = request.routeOptions.config;
    if (bytes.length === 0 || !takesBody) return done(null, undefined);
    const handOn = () => {
      let body: unknown;
      try {
        body = parseBody(bytes, mostValues);
      } catch (error) {
        return done(error instanceof Error ? error : new Error(String(error)));
      }
      done(null, body);
    };
    measured(guards, request, handOn);
  });
  server.addContentTypeParser("*", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0 || !request.routeOptions.config.takesBody) return done(null, undefined);
    done(wrongType(request.headers["content-type"]));
  });
}

function answerUnknownPaths(
  server: FastifyInstance,
  deps: ServerDeps & { readonly versions: ApiVersions; readonly paths: RouteIndex },
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (deps.versions.isUnknown(request.originalUrl))
      return fail(new NamedError("API Version Not Found"), request, reply);
    const methods = deps.paths.methods(request.url);
    if (request.method === "OPTIONS" && (methods.length > 0 || request.url.startsWith("/api"))) {
      const asked = request.headers["access-control-request-headers"];
      return reply.code(204).headers(preflightHeaders(methods, asked)).header("allow", methods.join(", ")).send();
    }
    if (methods.length === 0 || methods.includes(request.method)) return answerNoRoute(deps, request, reply);
    reply.header("allow", methods.join(", "));
    return fail(new NamedError("Method Not Allowed"), request, reply);
  };
  // Before the body is read: a body that is not parsed may have any size and type.
  server.addHook("onRequest", (request, reply, next) => {
    if (request.is404) answer(request, reply).catch(next);
    else next();
  });
}

/** Answers a path without a route, by a page if there is one. @throws "Endpoint Not Found", "Method Not Allowed" */
async function answerNoRoute(deps: ServerDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const page = deps.pages && (await answerPage(deps.pages, request, reply, deps.publicUrl));
  if (!page) throw new NamedError("Endpoint Not Found");
  return page;
}

function answerProblem(deps: ServerDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  const refusal = named(error) ?? new NamedError("Internal Error");
  const about = { error, requestId: request.id, route: request.routeOptions.url };
  if (hasLeft(reply) && refusal.name === "Internal Error")
    deps.log.debug(about, "a request failed after its caller had disconnected");
  else {
    request.problem = refusal.name;
    if (refusal.name === "Internal Error") deps.log.error(about, "a request failed");
  }
  const document = problemBody(refusal, request.id, deps.publicUrl);
  request.problemDocument = document;
  return reply.code(refusal.status).headers(problemHeaders(refusal)).serializer(JSON.stringify).send(document);
}

/** Named errors of the contract, by the code of the framework's error. */
const FRAMEWORK: Readonly<Record<string, () => NamedError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new NamedError("Body Too Large"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new NamedError("Body Parameters Missing", "The body is shorter or longer than its `content-length` says."),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new NamedError("Body Parameters Missing", "The `content-type` must be application/json."),
  FST_ERR_BAD_URL: () => new NamedError("Endpoint Not Found", "The path is not a well-formed URL."),
};

/** Converts any error to a named one; undefined for an unexpected one. */
function named(error: unknown): NamedError | undefined {
  if (isNamed(error)) return error;
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return FRAMEWORK[code]?.();
}

/**
 * Node's `close` also closes the connections that are idle at that moment, even if their next request is already on its way. After
 * this function they stay open until `close` is called, and requests on them are answered.
 */
export function stopListening(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server);
}

/** Counts up after a random prefix that each process makes. */
export function requestIds(random: Random): () => string {
  const word = Buffer.from(random.bytes(6)).toString("hex");
  let count = 0;
  return () => `${word}-${(++count).toString(36)}`;
}
