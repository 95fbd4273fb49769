/** The library's storage, in memory; the hub stores each change. */
import { fromJson, MemoryStorageDriver, type SupportedStorageTypes, toJson } from "@matter/main";
import type { ContextValues, KeptContexts, ValueCodec } from "../kept-contexts.ts";

/** The library's storage, in memory; {@link KeptContexts} stores each change on the hub. */
type Stored = Record<string, SupportedStorageTypes>;

/** The library's own text format of its values. */
export const libraryCodec: ValueCodec = {
  toText: (values) => toJson(values as Stored),
  fromText: (text) => {
    const values = fromJson(text);
    if (typeof values !== "object" || values === null || Array.isArray(values))
      throw new Error("What the hub keeps of Matter is damaged.");
    return values as ContextValues;
  },
};

export class KeptStorage extends MemoryStorageDriver {
  static override readonly id = "hub";
  readonly #kept: KeptContexts;

  private constructor(contents: Record<string, Stored>, kept: KeptContexts) {
    super(contents);
    this.#kept = kept;
  }

  /** @throws what the store throws, Error when a stored value cannot be read */
  static async load(kept: KeptContexts): Promise<KeptStorage> {
    const storage = new KeptStorage((await kept.load()) as Record<string, Stored>, kept);
    storage.initialize();
    return storage;
  }

  override async set(contexts: string[], keyOrValues: string | Stored, value?: SupportedStorageTypes): Promise<void> {
    if (typeof keyOrValues === "string") super.set(contexts, keyOrValues, value);
    else super.set(contexts, keyOrValues);
    await this.#keep(contexts.join("."));
  }

  override async delete(contexts: string[], key: string): Promise<void> {
    super.delete(contexts, key);
    await this.#keep(contexts.join("."));
  }

  override async clearAll(contexts: string[]): Promise<void> {
    const context = contexts.join(".");
    const gone = Object.keys(this.store).filter((each) => each === context || each.startsWith(`${context}.`));
    super.clearAll(contexts);
    await Promise.all(gone.map((each) => this.#kept.keep(each, undefined)));
  }

  override async close(): Promise<void> {
    await this.#kept.idle();
    await super.close();
  }

  async #keep(context: string): Promise<void> {
    await this.#kept.keep(context, this.store[context]);
  }
}
