/**
 * The bus over NATS core, without streams or storage. The client reconnects for ever; messages published while it is disconnected
 * are dropped, because they would be stale on arrival.
 */
import {
  connect,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
  NoRespondersError,
  RequestError,
  type Subscription,
} from "@nats-io/transport-node";
import type { Log } from "@porchlight/shared/kernel";
import { type Bus, NoAnswer, NoResponder } from "./bus-watch.ts";

interface Listening {
  readonly subject: string;
  readonly heard: (message: Msg) => void;
  subscription: Subscription | undefined;
}

export class NatsBus implements Bus {
  readonly #log: Log;
  readonly #listening = new Set<Listening>();
  readonly #watchers = new Set<(connected: boolean) => void>();
  #connection: NatsConnection | undefined;
  #connected = false;
  #closed = false;

  private constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Starts to connect, and does not wait for it.
   * @param urls `nats://` or `tls://`, separated by commas, with user and password or a token
   */
  static start(urls: string, log: Log): NatsBus {
    const bus = new NatsBus(log);
    connect(natsOptions(urls)).then(
      (connection) => bus.#opened(connection),
      (error: unknown) =>
        log.error({ error }, "NATS refused the connection; will not retry. This node cannot reach the others"),
    );
    return bus;
  }

  get connected(): boolean {
    return this.#connected;
  }

  onChange(listener: (connected: boolean) => void): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  publish(subject: string, message: unknown): void {
    if (!this.#connected) return;
    try {
      this.#connection?.publish(subject, JSON.stringify(message));
    } catch (error) {
      this.#log.warn({ error, subject }, "a message to the other nodes could not be published");
    }
  }

  subscribe(subject: string, heard: (message: unknown) => void): () => void {
    return this.#listen(subject, (message) => {
      const parsed = this.#parse(message);
      if (parsed) heard(parsed.value);
    });
  }

  async ask(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const connection = this.#connection;
    if (!connection || !this.#connected) throw new NoResponder();
    let answer: Msg;
    try {
      answer = await connection.request(subject, JSON.stringify(message), { timeout: Math.max(1, timeoutMs) });
    } catch (error) {
      const unheard = error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
      throw unheard ? new NoResponder(error) : new NoAnswer(error);
    }
    const parsed = this.#parse(answer);
    if (!parsed) throw new NoAnswer();
    return parsed.value;
  }

  answer(subject: string, answer: (message: unknown) => Promise<unknown>): () => void {
    return this.#listen(subject, (message) => {
      const parsed = this.#parse(message);
      if (!parsed) return;
      answer(parsed.value).then(
        (value) => {
          if (this.#connected) message.respond(JSON.stringify(value));
        },
        (error: unknown) => this.#log.error({ error, subject }, "a request of another node failed"),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#connected = false;
    await this.#connection?.close();
  }

  #listen(subject: string, heard: (message: Msg) => void): () => void {
    const listening: Listening = { subject, heard, subscription: undefined };
    this.#listening.add(listening);
    this.#begin(listening);
    return () => {
      this.#listening.delete(listening);
      listening.subscription?.unsubscribe();
    };
  }

  #begin(listening: Listening): void {
    listening.subscription = this.#connection?.subscribe(listening.subject, {
      callback: (error, message) => {
        if (error) this.#log.warn({ error, subject: listening.subject }, "a NATS subscription has ended");
        else listening.heard(message);
      },
    });
  }

  #opened(connection: NatsConnection): void {
    if (this.#closed) return void connection.close();
    this.#connection = connection;
    for (const listening of this.#listening) this.#begin(listening);
    void this.#watch(connection);
    this.#changed(true);
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect" || status.type === "staleConnection") this.#changed(false);
      if (status.type === "reconnect") this.#changed(true);
      if (status.type === "error") this.#log.warn({ error: status.error }, "NATS refused an operation");
    }
  }

  #changed(connected: boolean): void {
    if (this.#connected === connected || this.#closed) return;
    this.#connected = connected;
    if (connected) this.#log.info({ server: this.#connection?.getServer() }, "connected to NATS");
    for (const watcher of this.#watchers) watcher(connected);
  }

  /** Undefined for a message that is not JSON: no node of this service sent it. */
  #parse(message: Msg): { readonly value: unknown } | undefined {
    try {
      return { value: message.json() };
    } catch (error) {
      this.#log.warn({ error, subject: message.subject }, "a message from NATS is not JSON and was ignored");
      return undefined;
    }
  }
}

/** Interval of pings, ms; a connection is closed after two without an answer. */
const PING_MS = 2_000;
/** Interval between connection attempts, plus up to as much jitter, ms. */
const AGAIN_MS = 250;
/** Timeout of one connection attempt, ms. */
const CONNECT_MS = 3_000;

/**
 * @param urls addresses of NATS, `nats://` or `tls://`, separated by commas; `user:password@` or `token@` of the first applies to all
 */
function natsOptions(urls: string): NodeConnectionOptions {
  const parsed = urls.split(",").map((url) => new URL(url.trim()));
  const first = parsed[0];
  const user = decodeURIComponent(first?.username ?? "");
  const pass = decodeURIComponent(first?.password ?? "");
  return {
    servers: parsed.map(({ hostname, port }) => `${hostname}:${port || "4222"}`),
    ...(pass ? { user, pass } : user ? { token: user } : {}),
    ...(parsed.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
    name: "porchlight-cloud",
    noEcho: true,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: AGAIN_MS,
    reconnectJitter: AGAIN_MS,
    reconnectJitterTLS: AGAIN_MS,
    waitOnFirstConnect: true,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    ignoreClusterUpdates: false,
  };
}
