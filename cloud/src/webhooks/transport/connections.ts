/**
 * Connections to receivers, each to one address that has been judged: what a name means by the time that a socket opens is not
 * asked again. They are kept for a while, for the address that they lead to.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** How long a connection is kept when nothing is sent, ms. */
const IDLE = 10_000;
/** Receivers whose connections are kept. */
const KEPT = 500;
/** Bytes of the headers of an answer. */
const MOST_HEADERS = 16_384;

export class Connections implements AsyncDisposable {
  /** By origin and address, the one used last at the end. */
  readonly #agents = new Map<string, HttpAgent>();

  /**
   * Begins a request that goes to that address, whatever the name of the URL means by then. Node's own client, because it skips interim
   * responses (1xx); undici takes `100 Continue` for an error.
   */
  post(url: URL, address: string, options: Pick<RequestOptions, "headers" | "signal">): ClientRequest {
    const { protocol, host, port, pathname, search } = url;
    const isSecure = protocol === "https:";
    return (isSecure ? httpsRequest : httpRequest)({
      method: "POST",
      agent: this.#to(url, address),
      host: address,
      port: port || (isSecure ? 443 : 80),
      path: `${pathname}${search}`,
      maxHeaderSize: MOST_HEADERS,
      ...options,
      // The certificate must be the name's, wherever that leads: TLS takes the name from here.
      headers: { ...options.headers, host },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #to({ protocol, origin }: URL, address: string): HttpAgent {
    const key = `${origin} ${address}`;
    const kept = this.#agents.get(key);
    // As many connections as there are deliveries: many webhooks of many tenants may lead to one receiver, and none waits for another's.
    const options = { keepAlive: true, timeout: IDLE };
    const agent = kept ?? (protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options));
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    if (!kept) this.#forgetOldest();
    return agent;
  }

  #forgetOldest(): void {
    for (const [key, agent] of this.#agents) {
      if (this.#agents.size <= KEPT) return;
      this.#agents.delete(key);
      // A connection on which something is being sent ends after it.
      agent.maxFreeSockets = 0;
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    }
  }
}
