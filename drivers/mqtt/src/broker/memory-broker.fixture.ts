/** A broker in memory for tests: topics, kept messages, wildcards, last wills, and programs that listen on it. */
import type { BrokerConnection, OpenBroker, Publication, Received } from "./kept-connection.ts";

interface Client {
  readonly filters: Set<string>;
  readonly received: (message: Received) => void;
  readonly closed: PromiseWithResolvers<string>;
  readonly will: Publication | undefined;
}

export class MemoryBroker {
  /** Everything that the hub has published, in order. */
  readonly published: Publication[] = [];
  /** Filters that the hub has asked for and not given back. */
  get filters(): string[] {
    return [...this.#clients].flatMap(({ filters }) => [...filters]);
  }
  readonly #kept = new Map<string, string>();
  readonly #clients = new Set<Client>();
  readonly #programs: { readonly topic: string; readonly hears: (payload: string) => void }[] = [];
  /** Connections that were asked for, and those that are open. */
  tries = 0;
  get connections(): number {
    return this.#clients.size;
  }
  /** Why it lets no connection in. */
  refuses: string | undefined;

  readonly open: OpenBroker = (received, signal) => this.openWith(undefined)(received, signal);

  /** @param will published when the connection ends */
  openWith(will: Publication | undefined): OpenBroker {
    return async (received) => {
      this.tries += 1;
      if (this.refuses !== undefined) throw new Error(this.refuses);
      const client: Client = { filters: new Set(), received, closed: Promise.withResolvers(), will };
      this.#clients.add(client);
      return this.#connectionOf(client);
    };
  }

  /** What is kept, by topic. */
  get kept(): ReadonlyMap<string, string> {
    return this.#kept;
  }

  /** A program that listens on an exact topic. */
  on(topic: string, hears: (payload: string) => void): void {
    this.#programs.push({ topic, hears });
  }

  /** A program says something. */
  say(topic: string, payload: unknown, retain = false): void {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    if (retain && text === "") this.#kept.delete(topic);
    else if (retain) this.#kept.set(topic, text);
    for (const client of this.#clients) {
      if ([...client.filters].some((filter) => matches(filter, topic))) hand(client, topic, text, false);
    }
  }

  /** Sends the retained messages once more, as to a client that subscribes again. */
  tellKept(): void {
    for (const client of this.#clients) {
      for (const [topic, text] of this.#kept) hand(client, topic, text, true);
    }
  }

  /** All connections are gone, and none is let in. */
  cut(why = "the network is gone"): void {
    this.refuses = why;
    const gone = [...this.#clients];
    this.#clients.clear();
    for (const client of gone) {
      client.closed.resolve(why);
      this.#leave(client);
    }
  }

  mend(): void {
    this.refuses = undefined;
  }

  #leave({ will }: Client): void {
    if (will) this.say(will.topic, will.payload, will.retain);
  }

  #connectionOf(client: Client): BrokerConnection {
    const standing = () => {
      if (!this.#clients.has(client)) throw new Error("there is no connection to the broker");
    };
    return {
      closed: client.closed.promise,
      subscribe: async (filters) => {
        standing();
        for (const filter of filters) client.filters.add(filter);
        // Retained messages arrive over the network, after the subscriber has gone on.
        await Promise.resolve();
        for (const [topic, text] of this.#kept) {
          if (filters.some((filter) => matches(filter, topic))) hand(client, topic, text, true);
        }
      },
      unsubscribe: async (filters) => {
        standing();
        for (const filter of filters) client.filters.delete(filter);
      },
      publish: async (publication) => {
        standing();
        this.published.push(publication);
        this.say(publication.topic, publication.payload, publication.retain);
        for (const { topic, hears } of this.#programs) if (topic === publication.topic) hears(publication.payload);
      },
      [Symbol.asyncDispose]: async () => {
        if (this.#clients.delete(client)) this.#leave(client);
        client.closed.resolve("the hub has closed the connection");
      },
    };
  }
}

function hand({ received }: Client, topic: string, text: string, retained: boolean): void {
  received({ topic, payload: Buffer.from(text), retained });
}

/** Section 4.7 of MQTT 3.1.1. */
function matches(filter: string, topic: string): boolean {
  const parts = topic.split("/");
  const wanted = filter.split("/");
  const fits = (part: string, place: number) => part === "+" || part === parts[place];
  if (wanted.at(-1) === "#") return wanted.slice(0, -1).every(fits);
  return wanted.length === parts.length && wanted.every(fits);
}
