/** A relay board as `examples/porchlight-driver-example` speaks to it, over real TCP. */
import { createServer, type Server, type Socket } from "node:net";

export class RelayBoardServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #edgeId: string;
  readonly #sockets = new Set<Socket>();
  readonly #awaited = new Map<string, () => void>();
  readonly outputs = [false, false, false, false];
  /** It switches, and sends nothing. */
  isSilent = false;

  private constructor(server: Server, edgeId: string) {
    this.#server = server;
    this.#edgeId = edgeId;
    server.on("connection", (socket) => this.#serve(socket));
  }

  static async start(edgeId: string): Promise<RelayBoardServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new RelayBoardServer(server, edgeId);
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Settles when it next receives that line. */
  hears(line: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(line, resolve));
  }

  press(output: number, isOn: boolean): void {
    this.outputs[output] = isOn;
    for (const socket of this.#sockets) socket.write(`OUT ${output} ${isOn ? "ON" : "OFF"}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
    let rest = "";
    socket.setEncoding("latin1").on("data", (text) => {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line, (answer) => void socket.write(`${answer}\n`));
    });
  }

  #take(line: string, answer: (text: string) => void): void {
    const [word, index = "0", state] = line.split(" ");
    if (word === "SET") this.outputs[Number(index)] = state === "ON";
    this.#awaited.get(line)?.();
    if (this.isSilent) return;
    if (word === "WHO") answer(`BOARD ${this.#edgeId} 4 1.2`);
    else if (word === "BLINK") answer("OK");
    else answer(`${word === "GET" ? "IS" : "OUT"} ${index} ${this.outputs[Number(index)] ? "ON" : "OFF"}`);
  }
}
