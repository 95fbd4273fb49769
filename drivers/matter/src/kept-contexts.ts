/**
 * Stores the library's contexts on the hub, each as an entry of the driver's store.
 *
 * Stored are the fabric with its keys, the paired nodes, and their last addresses. The nodes' attributes are not: they are read again
 * after a start, change with every report, and would not fit. Invariant: a value is on disk when `set` resolves, and writes of one
 * context stay in order.
 */
import type { DriverStore } from "@porchlight/driver-kit/package-api";

const PREFIX = "matter ";
/** A cached cluster of a paired node's endpoint: `nodes.peer1.endpoints.1.6`. */
const CACHED_CLUSTER = /(?:^|\.)endpoints\.\d+\.\d+$/;

/** Values of the library: text, numbers, big integers, bytes, and lists and objects of them. */
export type ContextValues = Record<string, unknown>;

/** Converts values to text and back, by the library's own functions, because the format is the library's. */
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

  /** All stored contexts. @throws what the store throws, Error when an entry cannot be read */
  async load(): Promise<Record<string, ContextValues>> {
    const entries = await this.#store.all(PREFIX);
    return Object.fromEntries(
      [...entries].map(([key, value]) => [
        key.slice(PREFIX.length),
        this.#codec.fromText(Buffer.from(value).toString("utf8")),
      ]),
    );
  }

  /** Stores a context. @param values undefined or empty to delete it. @throws what the store throws */
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

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }
}
