/** `/metrics`: beside the API, or on a separate port that a proxy does not forward. */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { credentialIn, NOT_GUESSED_AT } from "@porchlight/shared/rest";
import type { FastifyInstance } from "fastify";
import type { Addresses } from "./limits/addresses.ts";

export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** For so long a text is sent again to all readers, ms. */
const FRESH_MS = 1_000;

/** The same text, made at most once a second. */
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
  /** What a reader from elsewhere shows; without it, readers from elsewhere are refused. */
  readonly token: string | undefined;
}

/** To programs of this machine, and to holders of the operator's token; to all others nothing is there. */
export function serveMetrics(
  server: FastifyInstance,
  metrics: MetricsText,
  { addresses, token }: MetricsReaders,
): void {
  server.get("/metrics", async (request, reply) => {
    if (!addresses.isLocal(request.raw) && !isToken(request.headers.authorization, token))
      throw new NamedError("Endpoint Not Found");
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

function isToken(header: string | undefined, token: string | undefined): boolean {
  return header !== undefined && token !== undefined && timingSafeEqual(digest(credentialIn(header)), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Listens until it is disposed; answers nothing but `/metrics`. @throws what listening throws */
export function listenForMetrics(metrics: MetricsText, host: string, port: number): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
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
