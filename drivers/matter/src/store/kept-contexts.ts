/**
 * What the library stores, kept on the hub: its contexts, each an entry of the driver's store.
 *
 * Kept are the fabric with its keys, the nodes that are paired, and where they were last. What a node has told of its attributes is not:
 * it is read again after a start, changes at every report, and would not fit. Invariant: what was set is on disk when `set` settles, and
 * writes of one context are in order.
 */
import type { DriverStore } from "@porchlight/driver-kit/package-api";

const PREFIX = "matter ";
/** `nodes.peer1.endpoints.1.6`: a cluster of an endpoint of a paired node. */
const CACHED_CLUSTER = /(?:^|\.)endpoints\.\d+\.\d+$/;

/** As the library has it: text, numbers, big integers, bytes, lists and objects of them. */
export type ContextValues = Record<string, unknown>;

/** Turns values into text and back: the library's own functions, since the values are its own. */
export interface ValueCodec {
  toText(values: ContextValues): string;
  fromText(text: string): ContextValues;
}

export class KeptContexts {
  readonly #store: DriverStore;
  readonly #codec: ValueCodec;
  readonly #writing = new Map<string, Promise<void>>();

  constructor(store: DriverStore, codec: ValueCodec) {
    this.#store = store;
    this.#codec = codec;
  }

  /** All that is kept, by context. @throws what the store throws, Error when an entry cannot be read */
  async load(): Promise<Record<string, ContextValues>> {
    const entries = await this.#store.all(PREFIX);
    return Object.fromEntries(
      [...entries].map(([key, value]) => [
        key.slice(PREFIX.length),
        this.#codec.fromText(Buffer.from(value).toString("utf8")),
      ]),
    );
  }

  /** @param values undefined or empty: the context is gone. @throws what the store throws */
  async keep(context: string, values: ContextValues | undefined): Promise<void> {
    if (CACHED_CLUSTER.test(context)) return;
    const isEmpty = values === undefined || Object.keys(values).length === 0;
    const value = isEmpty ? undefined : Buffer.from(this.#codec.toText(values), "utf8");
    const before = this.#writing.get(context) ?? Promise.resolve();
    const written = before.catch(() => undefined).then(() => this.#store.set(`${PREFIX}${context}`, value));
    this.#writing.set(context, written);
    try {
      await written;
    } finally {
      if (this.#writing.get(context) === written) this.#writing.delete(context);
    }
  }

  /** Settles when nothing is being written any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }
}
