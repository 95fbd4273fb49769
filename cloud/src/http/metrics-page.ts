/** `/metrics`: beside the API, or on a port of its own that a proxy does not hand on. */
import { createServer } from "node:http";
import type { FastifyInstance } from "fastify";

export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

export function serveMetrics(server: FastifyInstance, metrics: MetricsText): void {
  server.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}

/** Listens until it is disposed; answers nothing but `/metrics`. @throws what listening throws */
export function listenForMetrics(metrics: MetricsText, host: string, port: number): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
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
