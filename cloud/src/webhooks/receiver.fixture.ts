/** A receiver of webhooks on a real socket of this machine: what came, and what it answers, as a test says. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { WAIT_MS } from "../../../test/parts/limits.ts";

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event by comparing it
  readonly event: any;
}

type Answer = (received: Received, response: ServerResponse) => void;

export const taken: Answer = (_received, response) => void response.writeHead(204).end();
export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Answer =>
  (_received, response) =>
    void response.writeHead(status, headers).end(body);
/** Nothing is answered, ever. */
export const hanging: Answer = () => undefined;

export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  #answer: Answer;

  private constructor(answer: Answer) {
    this.#answer = answer;
    this.#server = createServer((request, response) => void this.#hear(request, response));
  }

  static async start(answer: Answer = taken): Promise<Receiver> {
    const receiver = new Receiver(answer);
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the receiver listens on no port");
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** From now on. */
  answer(answer: Answer): void {
    this.#answer = answer;
  }

  /** Settles when it has received what `holds` asks for. @throws Error when it has not within the limit of a wait */
  async until(holds: (received: readonly Received[]) => boolean): Promise<void> {
    const limit = AbortSignal.timeout(WAIT_MS);
    while (!holds(this.received)) {
      await Promise.race([new Promise<void>((resolve) => this.#waiting.add(resolve)), once(limit, "abort")]);
      if (limit.aborted)
        throw new Error(`the receiver has ${this.received.length} requests, and still waits for others`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const headers = request.headers as Record<string, string>;
    const received = {
      path: request.url ?? "",
      headers,
      body,
      id: headers["webhook-id"] ?? "",
      event: JSON.parse(body),
    };
    this.received.push(received);
    this.#answer(received, response);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
