/**
 * Connections to receivers, each to one address that has been judged: what a name means by the time that a socket opens is not
 * asked again. They are kept for a while, for the address that they lead to.
 */
import { Agent, buildConnector } from "undici";

/** Milliseconds until a connection that does not come about is given up; a delivery gives up by its own clock too. */
const CONNECT_TIMEOUT = 15_000;
/** How long a connection is kept when nothing is sent, ms. */
const IDLE = 10_000;
/** Receivers whose connections are kept. */
const KEPT = 500;
/** Bytes of the headers of an answer. */
const MOST_HEADERS = 16_384;

export class Connections implements AsyncDisposable {
  /** By origin and address, the one used last at the end. */
  readonly #agents = new Map<string, Agent>();

  /** What sends to that origin at that address. @param origin `https://receiver.example:8443` */
  to(origin: string, address: string): Agent {
    const key = `${origin} ${address}`;
    const kept = this.#agents.get(key);
    const agent = kept ?? agentTo(address);
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    if (!kept) this.#forgetOldest();
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  #forgetOldest(): void {
    for (const [key, agent] of this.#agents) {
      if (this.#agents.size <= KEPT) return;
      this.#agents.delete(key);
      // Ends when what it is sending has been sent.
      agent.close().catch(() => undefined);
    }
  }
}

function agentTo(address: string): Agent {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT, allowH2: false });
  return new Agent({
    // As many as there are deliveries: many webhooks of many tenants may lead to one receiver, and none waits for another's.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE,
    keepAliveMaxTimeout: IDLE,
    // Time is the delivery's own to keep.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MOST_HEADERS,
    connect: ({ hostname, servername, ...options }, callback) => {
      // The certificate must be the name's, wherever that leads.
      const name = servername || (options.protocol === "https:" && !isLiteral(hostname) ? hostname : undefined);
      return connect(
        { ...options, hostname: address, ...(options.protocol === "https:" && name && { servername: name }) },
        callback,
      );
    },
  });
}

function isLiteral(hostname: string): boolean {
  return hostname.includes(":") || /^[\d.]+$/.test(hostname);
}
