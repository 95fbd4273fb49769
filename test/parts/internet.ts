/**
 * The internet between a hub and its cloud: a TCP relay that a test makes late, cuts, kills silently or holds up in one
 * direction. It knows bytes only, so that what hub and cloud make of a fault is theirs.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { type Random, seededRandom } from "@porchlight/shared/kernel";
import { eventually } from "./eventually.ts";

/** `up` is from the hub to the cloud. */
export type Direction = "up" | "down";

interface Way {
  readonly to: Socket;
  /** What is on its way, oldest first, and when it arrives; without bytes it is the sender's end. */
  readonly underWay: { readonly bytes?: Buffer; readonly due: number }[];
  timer: NodeJS.Timeout | undefined;
}

interface Connection {
  readonly hub: Socket;
  readonly cloud: Socket;
  readonly ways: Readonly<Record<Direction, Way>>;
  /** Swallows everything both ways, for ever; neither end is told. */
  dead: boolean;
}

export class Internet implements AsyncDisposable {
  readonly #server: Server;
  readonly #cloudPort: () => number;
  readonly #random: Random;
  readonly #connections = new Set<Connection>();
  readonly #held = new Set<Direction>();
  #delayMs: readonly [number, number] = [0, 0];
  #silent = false;

  private constructor(server: Server, cloudPort: () => number, random: Random) {
    this.#server = server;
    this.#cloudPort = cloudPort;
    this.#random = random;
  }

  /** @param cloudPort where the cloud listens now @param seed of the delays */
  static async start(cloudPort: () => number, seed: number): Promise<Internet> {
    const server = createServer({ allowHalfOpen: true });
    const internet = new Internet(server, cloudPort, seededRandom(seed));
    server.on("connection", (socket) => internet.#accept(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return internet;
  }

  /** Where the hub finds its cloud. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that stand and carry bytes. */
  get standing(): number {
    return [...this.#connections].filter(({ dead }) => !dead).length;
  }

  /** Resets every connection: both ends notice at once, and what was under way is lost. A new one can be made. */
  cut(): void {
    for (const connection of this.#connections) if (!connection.dead) this.#end(connection);
  }

  /** Every byte is swallowed from now on and nobody is told; new connections open, and carry nothing. */
  silence(): void {
    this.#silent = true;
    for (const connection of this.#connections) connection.dead = true;
  }

  /** New connections work again. The silent ones stay silent. */
  restore(): void {
    this.#silent = false;
  }

  /** Keeps back what goes that way; nothing is lost. */
  hold(direction: Direction): void {
    this.#held.add(direction);
  }

  /** Settles when so many pieces that go that way are kept back. */
  async kept(direction: Direction, pieces: number): Promise<void> {
    const count = () => Math.max(0, ...[...this.#connections].map(({ ways }) => ways[direction].underWay.length));
    await eventually(`${pieces} pieces are kept back`, async () => count() >= pieces);
  }

  /** Lets go what was kept back, in its order. */
  release(direction: Direction): void {
    this.#held.delete(direction);
    for (const connection of this.#connections) this.#carry(connection, direction);
  }

  /** Bounds of the one-way delay from now on, ms. Bytes stay in order. */
  delay(least: number, most: number): void {
    this.#delayMs = [least, most];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) this.#end(connection);
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(hub: Socket): void {
    const cloud = connect({ port: this.#cloudPort(), host: "127.0.0.1", allowHalfOpen: true });
    const way = (to: Socket): Way => ({ to, underWay: [], timer: undefined });
    const connection: Connection = { hub, cloud, ways: { up: way(cloud), down: way(hub) }, dead: this.#silent };
    this.#connections.add(connection);
    const ends = [
      [hub, "up"],
      [cloud, "down"],
    ] as const;
    for (const [from, direction] of ends) {
      from.setNoDelay(true);
      from.on("data", (bytes) => this.#take(connection, direction, bytes));
      from.on("end", () => this.#take(connection, direction));
      // A reset goes through at once; the close that follows it says no more.
      from.on("error", () => {
        if (!connection.dead) this.#end(connection);
      });
      from.on("close", () => {
        if (!connection.dead && hub.destroyed && cloud.destroyed) this.#connections.delete(connection);
      });
    }
  }

  #take(connection: Connection, direction: Direction, bytes?: Buffer): void {
    if (connection.dead) return;
    const { underWay } = connection.ways[direction];
    const [least, most] = this.#delayMs;
    const due = performance.now() + least + this.#random.fraction() * (most - least);
    underWay.push({ ...(bytes && { bytes }), due: Math.max(due, underWay.at(-1)?.due ?? 0) });
    this.#carry(connection, direction);
  }

  /** Delivers what is due, and comes back for the rest. */
  #carry(connection: Connection, direction: Direction): void {
    const way = connection.ways[direction];
    clearTimeout(way.timer);
    if (connection.dead || this.#held.has(direction)) return;
    const now = performance.now();
    for (let next = way.underWay[0]; next && next.due <= now; next = way.underWay[0]) {
      way.underWay.shift();
      if (next.bytes) way.to.write(next.bytes);
      else way.to.end();
    }
    const [next] = way.underWay;
    if (next) way.timer = setTimeout(() => this.#carry(connection, direction), next.due - now);
  }

  #end(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    const { hub, cloud, ways } = connection;
    for (const { timer } of Object.values(ways)) clearTimeout(timer);
    for (const socket of [hub, cloud]) {
      if (socket.connecting) socket.destroy();
      else socket.resetAndDestroy();
    }
  }
}
