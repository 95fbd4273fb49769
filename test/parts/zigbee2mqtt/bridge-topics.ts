/** What zigbee2mqtt publishes on a broker, parsed, and awaited by its content: its own topics are named without their base, `zigbee2mqtt/`. */
import { connectAsync } from "mqtt";

export type Json = Readonly<Record<string, unknown>>;

export class BridgeTopics implements AsyncDisposable {
  readonly #client: Awaited<ReturnType<typeof connectAsync>>;
  readonly #last = new Map<string, Json>();
  readonly #readers = new Set<(topic: string, value: Json) => void>();

  private constructor(client: Awaited<ReturnType<typeof connectAsync>>) {
    this.#client = client;
    client.on("message", (topic, payload) => {
      const value = parsed(payload.toString());
      this.#last.set(topic, value);
      for (const reader of [...this.#readers]) reader(topic, value);
    });
  }

  static async listen(url: string): Promise<BridgeTopics> {
    const client = await connectAsync(url, { reconnectPeriod: 0 });
    // Its broker is killed under it.
    client.on("error", () => {});
    const topics = new BridgeTopics(client);
    await topics.#client.subscribeAsync(["zigbee2mqtt/#", "homeassistant/#"], { qos: 1 });
    return topics;
  }

  say(topic: string, value: Json): Promise<unknown> {
    return this.#client.publishAsync(`zigbee2mqtt/${topic}`, JSON.stringify(value), { qos: 1 });
  }

  /** The first message to come that is it. */
  next(topic: string, isIt: (value: Json) => boolean): Promise<Json> {
    return this.#first(`zigbee2mqtt/${topic}`, isIt);
  }

  /** The content of a whole topic, as soon as it matches. */
  async state(topic: string, isIt: (value: Json) => boolean = () => true): Promise<Json> {
    const last = this.#last.get(topic);
    return last !== undefined && isIt(last) ? last : await this.#first(topic, isIt);
  }

  /** What comes from now until it is called. */
  all(topic: string): () => readonly Json[] {
    const states: Json[] = [];
    const read = (from: string, value: Json) => {
      if (from === `zigbee2mqtt/${topic}`) states.push(value);
    };
    this.#readers.add(read);
    return () => {
      this.#readers.delete(read);
      return states;
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.endAsync(true);
  }

  #first(topic: string, isIt: (value: Json) => boolean): Promise<Json> {
    return new Promise((resolve) => {
      const read = (from: string, value: Json) => {
        if (from !== topic || !isIt(value)) return;
        this.#readers.delete(read);
        resolve(value);
      };
      this.#readers.add(read);
    });
  }
}

/** Texts that are no JSON stay texts: triggers of Home Assistant. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
