/** A fake device behind a real server on a port of this machine: `GET /shelly`, and channels on `/rpc`. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import type { FakeChannel, FakeShelly } from "./fake-shelly.fixture.ts";
import type { ShellyEndpoint } from "./web-socket.ts";

export class ShellyServer implements AsyncDisposable {
  /** What it introduces itself with. */
  introduction: unknown;
  /** Channels that it bears. */
  mostChannels = 6;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor(shelly: FakeShelly) {
    this.introduction = shelly.info;
    this.#server = createServer((request, response) => {
      response.writeHead(request.url === "/shelly" ? 200 : 404);
      const { introduction } = this;
      response.end(typeof introduction === "string" ? introduction : JSON.stringify(introduction));
    });
    this.#server.on("upgrade", (request, socket, head) => {
      if (this.#sockets.clients.size >= this.mostChannels) {
        socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n");
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (opened) => attach(shelly, opened));
    });
  }

  static async start(shelly: FakeShelly, port = 0): Promise<ShellyServer> {
    const one = new ShellyServer(shelly);
    one.#server.listen(port, "127.0.0.1");
    await once(one.#server, "listening");
    return one;
  }

  get endpoint(): ShellyEndpoint {
    const address = this.#server.address();
    return { host: "127.0.0.1", port: typeof address === "object" && address ? address.port : 0 };
  }

  /** The power is gone: every connection ends, and none is taken. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function attach(shelly: FakeShelly, socket: WebSocket): void {
  const channel: FakeChannel = { say: (text) => socket.send(text) };
  shelly.channels.add(channel);
  socket.on("message", (data) => shelly.take(channel, String(data)));
  socket.once("close", () => shelly.channels.delete(channel));
}
