/** A port of the network: each connection of the hub is one to the device, and ends with it. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { DeviceLine, type DeviceLineOptions } from "./device-line.ts";

export class NetworkLine extends DeviceLine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isPlugged = true;

  private constructor(options: DeviceLineOptions, server: Server) {
    super(options);
    this.#server = server;
    server.on("connection", (socket) => this.#accept(socket));
  }

  static async open(options: DeviceLineOptions): Promise<NetworkLine> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new NetworkLine(options, server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  override unplug(): void {
    this.#isPlugged = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  override plug(): void {
    this.#isPlugged = true;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.unplug();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(hub: Socket): void {
    hub.on("error", () => undefined);
    if (!this.#isPlugged) {
      hub.destroy();
      return;
    }
    const device = connect({ path: this.options.socket });
    const ways = this.ways(
      (bytes) => void device.write(bytes),
      (bytes) => void hub.write(bytes),
    );
    hub.setNoDelay(true);
    hub.on("data", (bytes) => ways.device.push(bytes));
    device.on("data", (bytes) => ways.hub.push(bytes));
    device.on("error", () => undefined);
    const over = () => {
      this.end(ways);
      // What the device has in its buffer it reads all the same, as a board does that notices the end last.
      device.end();
      hub.destroySoon();
    };
    for (const socket of [hub, device]) {
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        over();
      });
    }
  }
}
