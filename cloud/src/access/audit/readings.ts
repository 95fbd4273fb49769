/** Readings that the audit records: those of one thing by one token within a minute are one, so that a loop of readings does not fill the audit. */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";

const SAME_READING_MS = 60_000;
/** Readings that are remembered. */
const CAPACITY = 10_000;

export class Readings {
  readonly #clock: Pick<Clock, "monotonic">;
  /** By token and thing, when its reading was recorded, monotonic ms. */
  readonly #recorded = new BoundedMap<string, number>(CAPACITY);

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Records a reading, unless that was done a moment ago. @param id of what is read @throws what `store` throws */
  async record(tokenId: string, id: string, store: () => Promise<unknown>): Promise<void> {
    const key = `${tokenId} ${id}`;
    const before = this.#recorded.get(key);
    const now = this.#clock.monotonic();
    if (before !== undefined && now - before < SAME_READING_MS) return;
    await store();
    this.#recorded.set(key, now);
  }
}
