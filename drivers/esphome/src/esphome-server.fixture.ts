/** A fake device behind a real socket: for foreign clients, for the tests of the wire, and for the journey. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { SocketLink } from "@porchlight/driver-kit/links";
import type { FakeEspHome } from "./fake-esphome.fixture.ts";

export class EspHomeServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
  }

  /** @param port any free one when left out */
  static async start(device: FakeEspHome, port = 0): Promise<EspHomeServer> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      device.accept(new SocketLink(socket));
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return new EspHomeServer(server, sockets);
  }

  get endpoint(): { host: string; port: number } {
    return { host: "127.0.0.1", port: (this.#server.address() as AddressInfo).port };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
