/**
 * What lies between two parts that speak TCP: a relay that a test makes late, cuts, kills silently or holds up in one
 * direction. It knows bytes only, so that what the parts make of a fault is theirs.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { type Random, seededRandom } from "@porchlight/shared/kernel";
import { eventually } from "./eventually.ts";

/** `up` is from the end that connects to the end that it reaches. */
export type Direction = "up" | "down";

/** Where the far part listens: a port of loopback, or a socket's path. */
export type Target = number | string;

interface Way {
  readonly to: Socket;
  /** Bytes under way, oldest first, and when they arrive; without bytes it is the sender's end. */
  readonly underWay: { readonly bytes?: Buffer; readonly due: number }[];
  timer: NodeJS.Timeout | undefined;
  /** Swallows everything, for ever, without a notice to either end. */
  dead: boolean;
}

interface Connection {
  readonly near: Socket;
  readonly far: Socket;
  readonly ways: Readonly<Record<Direction, Way>>;
}

const BOTH: readonly Direction[] = ["up", "down"];

export class FaultProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: () => Target;
  readonly #random: Random;
  readonly #connections = new Set<Connection>();
  readonly #held = new Set<Direction>();
  readonly #silent = new Set<Direction>();
  #delayMs: readonly [number, number] = [0, 0];
  #isCutOff = false;

  private constructor(server: Server, target: () => Target, random: Random) {
    this.#server = server;
    this.#target = target;
    this.#random = random;
  }

  /** @param target where the far part listens now @param seed of the delays */
  static async start(target: () => Target, seed: number): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true });
    const proxy = new FaultProxy(server, target, seededRandom(seed));
    server.on("connection", (socket) => proxy.#accept(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Where the near part finds the far one, when that speaks HTTP. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that stand and carry bytes both ways. */
  get standing(): number {
    return [...this.#connections].filter((connection) => !isSilent(connection)).length;
  }

  /** Resets every connection: both ends notice at once, and bytes under way are lost. A new one can be made. */
  cut(): void {
    for (const connection of this.#connections) if (!isSilent(connection)) this.#end(connection);
  }

  /** Cuts, and resets every new connection too, until {@link heal}. */
  cutOff(): void {
    this.#isCutOff = true;
    this.cut();
  }

  /** Every byte that goes there is swallowed from now on without a notice; new connections open, and carry nothing there. */
  silence(directions: readonly Direction[] = BOTH): void {
    for (const direction of directions) {
      this.#silent.add(direction);
      for (const { ways } of this.#connections) ways[direction].dead = true;
    }
  }

  /** New connections work again. The silent ones stay silent. */
  restore(): void {
    this.#silent.clear();
    this.#isCutOff = false;
  }

  /**
   * Ends every fault. A connection whose bytes were swallowed is reset, as a router does that has forgotten it: so both
   * ends learn at once what each would have found out in its own time.
   */
  heal(): void {
    this.restore();
    this.#delayMs = [0, 0];
    for (const connection of this.#connections) if (isSilent(connection)) this.#end(connection);
    for (const direction of BOTH) this.release(direction);
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

  /** Releases held bytes, in their order. */
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

  #accept(near: Socket): void {
    if (this.#isCutOff) {
      near.on("error", () => undefined);
      near.resetAndDestroy();
      return;
    }
    const target = this.#target();
    const place = typeof target === "number" ? { port: target, host: "127.0.0.1" } : { path: target };
    const far = connect({ ...place, allowHalfOpen: true });
    const way = (to: Socket, direction: Direction): Way => ({
      to,
      underWay: [],
      timer: undefined,
      dead: this.#silent.has(direction),
    });
    const connection: Connection = { near, far, ways: { up: way(far, "up"), down: way(near, "down") } };
    this.#connections.add(connection);
    const ends = [
      [near, "up"],
      [far, "down"],
    ] as const;
    for (const [from, direction] of ends) {
      from.setNoDelay(true);
      from.on("data", (bytes) => this.#take(connection, direction, bytes));
      from.on("end", () => this.#take(connection, direction));
      // A reset goes through at once; the close that follows it adds nothing.
      from.on("error", () => {
        if (!connection.ways[direction].dead) this.#end(connection);
      });
      from.on("close", () => {
        if (!isSilent(connection) && near.destroyed && far.destroyed) this.#connections.delete(connection);
      });
    }
  }

  #take(connection: Connection, direction: Direction, bytes?: Buffer): void {
    const { underWay, dead } = connection.ways[direction];
    if (dead) return;
    const [least, most] = this.#delayMs;
    const due = performance.now() + least + this.#random.fraction() * (most - least);
    underWay.push({ ...(bytes && { bytes }), due: Math.max(due, underWay.at(-1)?.due ?? 0) });
    this.#carry(connection, direction);
  }

  /** Delivers the bytes that are due, and comes back for the rest. */
  #carry(connection: Connection, direction: Direction): void {
    const way = connection.ways[direction];
    clearTimeout(way.timer);
    if (way.dead || this.#held.has(direction)) return;
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
    const { near, far, ways } = connection;
    for (const { timer } of Object.values(ways)) clearTimeout(timer);
    for (const socket of [near, far]) {
      // A socket with a path knows of no reset: its other end sees it gone all the same.
      if (socket.connecting || socket.remotePort === undefined) socket.destroy();
      else socket.resetAndDestroy();
    }
  }
}

function isSilent({ ways }: Connection): boolean {
  return BOTH.some((direction) => ways[direction].dead);
}
