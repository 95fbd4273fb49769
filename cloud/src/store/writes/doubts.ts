/**
 * Ecosystems whose last commit is in doubt: their caches may be older than the database. Caches must be cleared when
 * the doubt begins, and again when it ends, because in between they may be filled with the old state.
 */
import type { Clock } from "@porchlight/shared/kernel";

/** Notified of an ecosystem, at least twice. */
export type DoubtListener = (ecosystemId: string) => void;

/**
 * Once the database has had no failure for this long, ms, and then commits, all earlier transactions have ended: the
 * server keeps a silent transaction not half as long.
 */
const OVER_MS = 10_000;

export class Doubts {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #tell: DoubtListener;
  readonly #standing = new Set<string>();
  #lastFailure = 0;

  constructor(clock: Pick<Clock, "monotonic">, tell: DoubtListener) {
    this.#clock = clock;
    this.#tell = tell;
  }

  began(ecosystemIds: Iterable<string>): void {
    for (const id of ecosystemIds) {
      this.#standing.add(id);
      this.#tell(id);
    }
    this.failed();
  }

  /** Records a failure of the database. */
  failed(): void {
    this.#lastFailure = this.#clock.monotonic();
  }

  /** @param held ecosystems whose counter row the transaction had locked, which proves that their earlier transaction has ended */
  committed(held: Iterable<string>): void {
    if (this.#standing.size === 0) return;
    const isOver = this.#clock.monotonic() - this.#lastFailure >= OVER_MS;
    for (const id of isOver ? [...this.#standing] : held) if (this.#standing.delete(id)) this.#tell(id);
  }
}
