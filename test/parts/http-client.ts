/** A client that takes a connection for each request, and reports a broken connection as an answer that never came, not as a failure. */
import { Agent, request } from "undici";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: a client knows what it asked for
  readonly body: any;
}

export interface HttpRequest {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly token: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** After so long the client goes away, ms. */
  readonly patienceMs: number;
}

export class HttpClient implements AsyncDisposable {
  /** A connection for each request, so that a balancer sends each to another node. */
  readonly #agent: Agent;

  /** @param connectMs the longest that a connection may take, ms @param ca PEM of the one CA that is trusted; the usual ones when left out */
  constructor(connectMs: number, ca?: string) {
    const connect = { timeout: connectMs, ...(ca !== undefined && { ca }) };
    this.#agent = new Agent({ pipelining: 0, connections: null, allowH2: false, connect });
  }

  /** Asks; undefined when no answer came: the connection broke, could not be made, or the client went away. */
  async ask(url: string, { method, token, body, headers, patienceMs }: HttpRequest): Promise<Reply | undefined> {
    try {
      const answer = await request(url, {
        method,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(Math.ceil(patienceMs)),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body: text === "" ? {} : JSON.parse(text) };
    } catch {
      // The client knows only that it was not answered, and not which part broke.
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}
