/** Limits audit entries for reads: one entry a minute for each object and token, so that a loop of reads does not fill the audit. */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";

const SAME_READING_MS = 60_000;
/** Reads remembered. */
const CAPACITY = 10_000;

/** Remembers recent reads, by token and object. */
export class Readings {
  readonly #clock: Pick<Clock, "monotonic">;
  /** Time of the recorded read by token and object, monotonic ms. */
  readonly #recorded = new BoundedMap<string, number>(CAPACITY);

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Records a read, unless the same was recorded in the last minute. @param id of the object read @throws what `store` throws */
  async record(tokenId: string, id: string, store: () => Promise<unknown>): Promise<void> {
    const key = `${tokenId} ${id}`;
    const before = this.#recorded.get(key);
    const now = this.#clock.monotonic();
    if (before !== undefined && now - before < SAME_READING_MS) return;
    await store();
    this.#recorded.set(key, now);
  }
}
