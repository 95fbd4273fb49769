/**
 * The HTTP server of the API at home: the checks of every request, in the contract's order (1.4), and the server's start and end.
 *
 * Node's own server and no framework: a hub has little memory, and all rules are shared with the cloud.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { parse as parseQuery } from "node:querystring";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Clock, isNamed, type Log, NamedError } from "@porchlight/shared/kernel";
import {
  ApiVersions,
  bodyObject,
  CORS_HEADERS,
  checkQuery,
  type LimitSettings,
  NO_LIMITS,
  NOT_GUESSED_AT,
  parseBody,
  prefersAsync,
  preflightHeaders,
  problemBody,
  problemHeaders,
  RateLimits,
  RouteIndex,
  rawProblem,
  readRequestId,
  refuseExpectation,
  requireOneCredential,
  turnByTurn,
  wrongType,
} from "@porchlight/shared/rest";
import type { LocalToken } from "../state/index.ts";
import { type HomeAnswer, HomeCall, type HomeRoute } from "./home-call.ts";
import type { HomeTokens } from "./tokens.ts";

export interface HomeServerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tokens: Pick<HomeTokens, "authenticate">;
  readonly routes: readonly HomeRoute[];
  /** Makes an ID for a request without one. */
  readonly requestId: () => string;
  /** Address of the service, whose pages explain errors. */
  readonly publicUrl: string;
}

/** Maximum time for head and body of a request, ms. */
const REQUEST_MS = 30_000;
/** Maximum connections: a home has few programs, and each connection costs memory. */
const MOST_CONNECTIONS = 256;
/** As in the cloud: an `etag` does not cover whether a device is online, so a cached answer must not be reused. */
const NOT_KEPT = { "cache-control": "no-store" };
/** As in the cloud; bad credentials are counted for the whole home, over all addresses. */
const LIMITS: LimitSettings = { ...NO_LIMITS, rateLimit: 200, badCredentialsPerSecond: 20 };
const THE_HOME = "home";

export class HomeServer implements AsyncDisposable {
  readonly #deps: HomeServerDeps;
  readonly #server: Server;
  readonly #versions = new ApiVersions();
  readonly #routes: RouteIndex<HomeRoute>;
  readonly #limits: RateLimits;

  private constructor(deps: HomeServerDeps) {
    this.#deps = deps;
    this.#routes = new RouteIndex(deps.routes);
    this.#limits = new RateLimits(deps.clock, LIMITS);
    this.#server = createServer(
      {
        requestTimeout: REQUEST_MS,
        // Must be the shorter of the two, otherwise Node lets a body take for ever.
        headersTimeout: REQUEST_MS / 2,
        connectionsCheckingInterval: REQUEST_MS / 6,
        // Only a WebSocket would be an upgrade, and this server has none.
        shouldUpgradeCallback: () => false,
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#server.maxConnections = MOST_CONNECTIONS;
    this.#server.on("checkExpectation", (_request, response) => refuseExpectation(response, deps.requestId()));
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
      else socket.end(rawProblem(error.code ?? "", deps.requestId()));
    });
  }

  /** Starts to listen. @throws SystemError when the address cannot be used */
  static async start(deps: HomeServerDeps, host: string, port: number): Promise<HomeServer> {
    const home = new HomeServer(deps);
    await new Promise<void>((resolve, reject) => {
      home.#server.once("error", reject);
      home.#server.listen(port, host, () => resolve());
    });
    home.#server.on("error", (failure) => deps.log.error({ failure: String(failure) }, "the API at home has failed"));
    return home;
  }

  /** The URL of the server: `http://127.0.0.1:8090`. */
  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) return "";
    return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** Stops listening and closes all connections at once, also those with requests in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = readRequestId(request.headers["x-request-id"]) ?? this.#deps.requestId();
    try {
      const url = this.#versions.rewrite(request.url ?? "/");
      this.#setCommonHeaders(request, response, url, requestId);
      const { method = "GET" } = request;
      const found = this.#find(method, url);
      if (!found || (found.route.takesBody && prefersAsync(headerOf(request, "prefer"))))
        return this.#answerNoRoute(request, response, url);
      const token = this.#admit(request, response);
      const { path, query } = splitUrl(url);
      checkQuery(query, found.route.query);
      const { takesBody } = found.route;
      const body = takesBody ? await readJsonBody(request, takesBody === "optional") : {};
      const { headers, rawHeaders } = request;
      const signal = abortedWith(response);
      const call = { token, path, params: found.params, query, body, headers, rawHeaders, signal };
      await send(response, await found.route.handle(new HomeCall(call)));
    } catch (error) {
      this.#fail(error, request, response, requestId);
    }
  }

  #find(method: string, url: string): ReturnType<RouteIndex<HomeRoute>["find"]> {
    try {
      return this.#routes.find(method, url);
    } catch {
      throw new NamedError("Endpoint Not Found", "The path is not a well-formed URL.");
    }
  }

  #setCommonHeaders(request: IncomingMessage, response: ServerResponse, url: string, requestId: string): void {
    const cors = request.headers.origin !== undefined && url.startsWith("/api") ? CORS_HEADERS : {};
    const common = { ...NOT_KEPT, ...NOT_GUESSED_AT, ...cors };
    const headers = { ...this.#versions.headers(request.url ?? "/"), "x-request-id": requestId, ...common };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }

  /** @throws "API Version Not Found", "Endpoint Not Found", "Method Not Allowed" */
  #answerNoRoute(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
    if (this.#versions.isUnknown(request.url ?? "/")) throw new NamedError("API Version Not Found");
    const methods = this.#routes.methods(url);
    const allow = methods.join(", ");
    if (request.method === "OPTIONS" && (methods.length > 0 || url.startsWith("/api"))) {
      const asked = headerOf(request, "access-control-request-headers");
      return send(response, { status: 204, headers: { ...preflightHeaders(methods, asked), allow } });
    }
    if (methods.length === 0 || methods.includes(request.method ?? "")) throw new NamedError("Endpoint Not Found");
    throw new NamedError("Method Not Allowed", undefined, { headers: { allow } });
  }

  /** @throws "Token Missing", "Token Invalid", "Rate Limit Exceeded" */
  #admit(request: IncomingMessage, response: ServerResponse): LocalToken {
    const reply = { header: (name: string, value: string) => response.setHeader(name, value) };
    let token: LocalToken;
    try {
      requireOneCredential(request.rawHeaders);
      token = this.#deps.tokens.authenticate(request.headers.authorization);
    } catch (error) {
      if (isNamed(error) && error.status === 401) this.#limits.count("credential", THE_HOME, reply);
      throw error;
    }
    this.#limits.count("default", token.id, reply);
    return token;
  }

  #fail(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
    const named = isNamed(error) ? error : new NamedError("Internal Error");
    if (named.name === "Internal Error")
      this.#deps.log.error(
        { failure: String(error), requestId, url: request.url },
        "a request to the API at home failed",
      );
    if (response.headersSent) response.destroy();
    else sendProblem(response, named, requestId, this.#deps.publicUrl);
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Normalizes the path, and parses the query; a repeated parameter is refused by a later check. */
function splitUrl(url: string): { readonly path: string; readonly query: Readonly<Record<string, string>> } {
  const end = url.indexOf("?");
  const path = (end < 0 ? url : url.slice(0, end)).replace(/(?<=.)\/$/, "");
  const query = parseQuery(end < 0 ? "" : url.slice(end + 1), undefined, undefined, { maxKeys: 0 });
  return { path: decodeURIComponent(path), query: query as Readonly<Record<string, string>> };
}

/** A signal for a disconnected caller: the request closes once its body is read; the response only when it is written, or never will be. */
function abortedWith(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  const leave = () => {
    if (!response.writableFinished) abort.abort(new Error("the caller went away"));
  };
  if (response.destroyed) leave();
  else response.once("close", leave);
  return abort.signal;
}

/** Largest body, bytes. */
const BODY_LIMIT = 256 * 1024;

/**
 * Reads a body as JSON (A1.0.3, A1.4).
 * @param optional accepts a missing body
 * @throws "Body Too Large", "Body Parameters Missing", "Body Parameters Invalid"
 */
async function readJsonBody(request: IncomingMessage, optional: boolean): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return bodyObject(undefined, optional);
  const type = request.headers["content-type"];
  if (type?.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") throw wrongType(type);
  return bodyObject(parseBody(bytes));
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new NamedError("Body Too Large");
  if (Number(request.headers["content-length"] ?? 0) > BODY_LIMIT) return Promise.reject(tooLarge);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_LIMIT) reject(tooLarge);
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    // The caller is gone: an answer would not be read.
    request.once("close", () => reject(new NamedError("Body Parameters Missing", "The body is incomplete.")));
  });
}

/** The content type of answers. */
const JSON_TYPE = "application/json; charset=utf-8";

/** Writes an answer as HTTP; resolves when it is written, or the caller is gone. */
async function send(response: ServerResponse, answer: HomeAnswer): Promise<void> {
  const { status, headers, body, slices, stream } = answer;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (slices) {
    response.setHeader("content-type", JSON_TYPE);
    // For HEAD, Node sends no body, but the slices would still be built.
    if (response.req.method === "HEAD") response.end();
    else await pipeline(Readable.from(turnByTurn(slices), { objectMode: false }), response).catch(() => undefined);
    return;
  }
  if (stream) return follow(response, stream);
  if (body !== undefined) response.setHeader("content-type", response.getHeader("content-type") ?? JSON_TYPE);
  end(response, body === undefined ? "" : JSON.stringify(body));
}

/** Writes a stream: its headers are sent at once, and a HEAD request ends without it. */
async function follow(response: ServerResponse, stream: Readable): Promise<void> {
  if (response.req.method === "HEAD") {
    stream.destroy();
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(stream, response).catch(() => undefined);
}

/** @param publicUrl address of the pages that explain errors */
function sendProblem(response: ServerResponse, error: NamedError, requestId: string, publicUrl: string): void {
  response.statusCode = error.status;
  for (const [name, value] of Object.entries(problemHeaders(error))) response.setHeader(name, value);
  end(response, JSON.stringify(problemBody(error, requestId, publicUrl)));
}

function end(response: ServerResponse, text: string): void {
  if (response.statusCode !== 304 && response.statusCode !== 204)
    response.setHeader("content-length", Buffer.byteLength(text));
  response.end(text);
}
