/**
 * Which ecosystems are not to share a transaction for a while, since one that they shared has failed for them: its own file because who was the
 * reason is decided by what became of all that were in it.
 */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";

/** Whoever was the reason is done alone for so long, ms: so often at most it costs others another failed transaction. */
const APART_MS = 60_000;
/** Past so many the oldest may share a transaction again. */
const MOST_APART = 10_000;

/** What became of an ecosystem of a failed transaction when it was tried alone. */
export interface TriedAlone {
  readonly eco: string;
  /** It failed alone as well, and not for what fails everything, or one of its jobs did. */
  readonly isSuspect: boolean;
}

/** Those that were the reason: when most of them look so, the database was. */
export function reasonsOf(tried: readonly TriedAlone[]): readonly string[] {
  const suspects = tried.filter(({ isSuspect }) => isSuspect).map(({ eco }) => eco);
  return suspects.length <= Math.max(1, tried.length / 2) ? suspects : [];
}

export class Apart {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #until = new BoundedMap<string, number>(MOST_APART);

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  has(eco: string): boolean {
    const until = this.#until.get(eco);
    if (until === undefined) return false;
    if (this.#clock.monotonic() < until) return true;
    this.#until.delete(eco);
    return false;
  }

  get size(): number {
    for (const [eco] of this.#until) this.has(eco);
    return this.#until.size;
  }

  /** @param tried all of a transaction that has failed */
  judge(tried: readonly TriedAlone[]): void {
    for (const eco of reasonsOf(tried)) this.#until.set(eco, this.#clock.monotonic() + APART_MS);
  }
}
