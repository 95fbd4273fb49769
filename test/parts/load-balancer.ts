/**
 * The least that a load balancer in front of several nodes is: each new connection goes to the next node in turn, and a node
 * that accepts none is passed over. It looks at no byte; what becomes of a connection is between its ends.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class LoadBalancer implements AsyncDisposable {
  readonly #server: Server;
  readonly #ports: () => readonly number[];
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  private constructor(server: Server, ports: () => readonly number[]) {
    this.#server = server;
    this.#ports = ports;
  }

  /** @param ports of the nodes that there are now, on loopback */
  static async start(ports: () => readonly number[]): Promise<LoadBalancer> {
    const server = createServer({ allowHalfOpen: true });
    const balancer = new LoadBalancer(server, ports);
    server.on("connection", (socket) => void balancer.#accept(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #accept(near: Socket): Promise<void> {
    this.#keep(near);
    near.pause();
    const ports = this.#ports();
    const turn = this.#turn++;
    for (let tried = 0; tried < ports.length; tried++) {
      const far = await this.#reach(ports[(turn + tried) % ports.length] ?? 0);
      if (far === undefined) continue;
      join(near, far);
      return;
    }
    near.resetAndDestroy();
  }

  /** Undefined when no server accepts there. */
  #reach(port: number): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      this.#keep(far);
      far.once("connect", () => resolve(far));
      far.once("error", () => resolve(undefined));
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Each end's bytes, its orderly end and its breaking are the other's. */
function join(near: Socket, far: Socket): void {
  const pairs = [
    [near, far],
    [far, near],
  ] as const;
  for (const [from, to] of pairs) {
    from.pipe(to);
    from.once("close", () => {
      if (from.errored) to.resetAndDestroy();
      else if (!from.readableEnded) to.destroy();
    });
  }
  if (near.destroyed) far.destroy();
}
