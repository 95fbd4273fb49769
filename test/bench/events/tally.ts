/** Counts what comes to one place after another: that nothing is missing, nothing comes twice, and how long it took. */
import type { Came } from "./plan.ts";

/** What is looked at of an event. */
export interface CountedEvent {
  readonly type: string;
  readonly data: {
    /** Its value is `COUNT MS`: see `SimulatedHub.report`. */
    readonly item: { readonly deviceId: string; readonly value: string };
  };
}

/** Latencies are counted by the millisecond up to here. */
const LONGEST = 600_000;

export class Tally {
  readonly #each: number[];
  /** By place and device: how many of its values came. They count from 1. */
  readonly #counts = new Map<string, number>();
  readonly #latencies = new Uint32Array(LONGEST + 1);
  #repeats = 0;
  #gaps = 0;
  #longest = 0;

  constructor(places: number) {
    this.#each = Array.from({ length: places }, () => 0);
  }

  /** A report that came to a place: the next of its device, one that came before, or one too early. @param now wall clock, ms */
  add(place: number, { data: { item } }: CountedEvent, now: number): void {
    const key = `${place} ${item.deviceId}`;
    const count = this.#counts.get(key) ?? 0;
    const [value = 0, toldAt = 0] = item.value.split(" ").map(Number);
    if (value <= count) {
      this.#repeats += 1;
      return;
    }
    if (value > count + 1) this.#gaps += 1;
    this.#counts.set(key, value);
    this.#each[place] = (this.#each[place] ?? 0) + 1;
    const latency = Math.min(LONGEST, Math.max(0, now - toldAt));
    this.#latencies[latency] = (this.#latencies[latency] ?? 0) + 1;
    this.#longest = Math.max(this.#longest, latency);
  }

  /** Something was missing. */
  gap(): void {
    this.#gaps += 1;
  }

  came(): Came {
    const [each, repeats, gaps] = [this.#each, this.#repeats, this.#gaps];
    return { each, repeats, gaps, p50: this.#at(0.5), p99: this.#at(0.99), max: this.#longest };
  }

  #at(part: number): number {
    let left = part * this.#each.reduce((sum, count) => sum + count, 0);
    for (let ms = 0; ms <= this.#longest; ms++) {
      left -= this.#latencies[ms] ?? 0;
      if (left <= 0) return ms;
    }
    return this.#longest;
  }
}
