/** A fake zwave-js-server behind a real socket. */
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import type { FakeClient, FakeZwave } from "./fake-zwave.fixture.ts";

export class ZwaveServer implements AsyncDisposable {
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
  }

  /** @param port 0: any */
  static async start(zwave: FakeZwave, port = 0): Promise<ZwaveServer> {
    const server = new WebSocketServer({ host: "127.0.0.1", port });
    server.on("connection", (socket) => {
      const client: FakeClient = { send: (text) => socket.send(text), close: () => socket.terminate() };
      socket.on("message", (data) => {
        if (Buffer.isBuffer(data)) zwave.take(client, data.toString("utf8"));
      });
      socket.on("close", () => zwave.disconnect(client));
      zwave.connect(client);
    });
    await new Promise<void>((resolve) => server.once("listening", resolve));
    return new ZwaveServer(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** Cuts all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
