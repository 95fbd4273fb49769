/** Serves `/metrics`: beside the API, or on a separate port that a proxy does not forward. */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { credentialIn, NOT_GUESSED_AT } from "@porchlight/shared/rest";
import type { FastifyInstance } from "fastify";
import type { Addresses } from "./client-addresses.ts";

export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Time for which a text is cached, ms. */
const FRESH_MS = 1_000;

/** Caches the text, so that it is made at most once a second. */
export function onceASecond(clock: Clock, metrics: MetricsText): MetricsText {
  let made: { readonly text: Promise<string>; readonly at: number } | undefined;
  return {
    contentType: metrics.contentType,
    text() {
      const now = clock.monotonic();
      if (!made || now - made.at >= FRESH_MS) made = { text: metrics.text(), at: now };
      return made.text;
    },
  };
}

export interface MetricsReaders {
  readonly addresses: Addresses;
  /** The token of readers outside this machine; without it, they are refused. */
  readonly token: string | undefined;
}

/** Serves programs of this machine, and holders of the operator's token; all others get the answer for an unknown path. */
export function serveMetrics(
  server: FastifyInstance,
  metrics: MetricsText,
  { addresses, token }: MetricsReaders,
): void {
  server.get("/metrics", async (request, reply) => {
    const isLocal = addresses.isLocal(request.raw) && isNameOfThisMachine(request.headers.host);
    if (!isLocal && !isToken(request.headers.authorization, token)) throw new NamedError("Endpoint Not Found");
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/**
 * Whether the request's host is an address or a name of this machine. Without this check a web page could read it by DNS
 * rebinding: its own name resolves to a loopback address, and the request comes from this machine.
 */
function isNameOfThisMachine(host: string | undefined): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host ?? "")?.[1]?.toLowerCase() ?? "";
  return name === "localhost" || name === hostname().toLowerCase() || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}

function isToken(header: string | undefined, token: string | undefined): boolean {
  return header !== undefined && token !== undefined && timingSafeEqual(digest(credentialIn(header)), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** Listens until it is disposed; serves only `/metrics`. @throws what listening throws */
export function listenForMetrics(metrics: MetricsText, host: string, port: number): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    const isAsked = request.method === "GET" && request.url === "/metrics";
    // Only programs of this machine reach a loopback address; elsewhere the operator has chosen to accept all names.
    if (!isAsked || (isLoopback(host) && !isNameOfThisMachine(request.headers.host))) {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "content-type": metrics.contentType, ...NOT_GUESSED_AT }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const end = async () => {
      server.closeAllConnections();
      server.close();
    };
    server.listen(port, host, () => resolve({ [Symbol.asyncDispose]: end }));
  });
}
