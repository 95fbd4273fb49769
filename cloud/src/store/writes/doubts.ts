/**
 * Ecosystems of which it is not known whether their last transaction was committed: what is cached of them may be older than the
 * database. It must be forgotten when the doubt begins, and once more when it ends, since until then it may be read again as it was.
 */
import type { Clock } from "@porchlight/shared/kernel";

/** Told of an ecosystem, at least twice. */
export type DoubtListener = (ecosystemId: string) => void;

/**
 * Once the database has failed with nothing for so long, ms, and then commits, everything that was under way has ended: the server keeps no
 * transaction half as long of which it hears nothing.
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

  /** The database has refused something. */
  failed(): void {
    this.#lastFailure = this.#clock.monotonic();
  }

  /** @param held ecosystems whose counter row the transaction had: the transaction that had it before has ended */
  committed(held: Iterable<string>): void {
    if (this.#standing.size === 0) return;
    const isOver = this.#clock.monotonic() - this.#lastFailure >= OVER_MS;
    for (const id of isOver ? [...this.#standing] : held) if (this.#standing.delete(id)) this.#tell(id);
  }
}
