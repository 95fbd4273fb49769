/**
 * Reports and openings of connections of several ecosystems in one transaction, on PostgreSQL: a commit and its statements cost as much for one report as for ten. One
 * such transaction is made at a time; what comes meanwhile waits for the next one, so that they grow with the load and alone are as small
 * as they can be.
 *
 * Invariants: an ecosystem is in one transaction at a time; nobody waits for a row that another transaction holds, since that ecosystem is left
 * out and done alone; a request does not wait here.
 */
import type { Waiting } from "./job-kind.ts";
import { MOST_RECORDS, type WriteQueue } from "./write-queue.ts";

/** Transactions at once. With two a commit had a third as many reports, and each cost node and PostgreSQL twice as much. */
const AT_ONCE = 1;

/** What a transaction has taken of an ecosystem. */
export interface Taken {
  readonly queue: WriteQueue;
  readonly jobs: readonly Waiting[];
  /** They come behind the jobs. */
  readonly reports: readonly Waiting[];
}

interface Place {
  readonly queue: WriteQueue;
  /** Whoever waits looks again what there is to do. */
  readonly end: () => void;
}

export class JointCommits {
  readonly #commit: (taken: readonly Taken[]) => Promise<readonly Taken[]>;
  readonly #alone: (taken: Taken) => Promise<void>;
  /** By ecosystem, in the order in which they came. */
  readonly #places = new Map<string, Place>();
  #running = 0;

  /**
   * @param commit does as much of it as it can at once, and gives the rest
   * @param alone does it for one ecosystem, however long that takes
   */
  constructor(commit: (taken: readonly Taken[]) => Promise<readonly Taken[]>, alone: (taken: Taken) => Promise<void>) {
    this.#commit = commit;
    this.#alone = alone;
  }

  /** Settles when jobs of the ecosystem are done, or when {@link leave} was called before they were begun. */
  turn(eco: string, queue: WriteQueue): Promise<void> {
    return new Promise((resolve) => {
      this.#places.set(eco, { queue, end: resolve });
      this.#next();
    });
  }

  /** The ecosystem has a request, which must not wait here. */
  leave(eco: string): void {
    const place = this.#places.get(eco);
    this.#places.delete(eco);
    place?.end();
  }

  #next(): void {
    while (this.#running < AT_ONCE && this.#places.size > 0) {
      this.#running += 1;
      void this.#transaction(this.#take());
    }
  }

  #take(): (Taken & Place)[] {
    const taken: (Taken & Place)[] = [];
    let left = MOST_RECORDS;
    for (const [eco, place] of this.#places) {
      const { jobs, reports, records } = place.queue.nextBeside(left);
      // It is too large for what is left, and the first of the next one.
      if (records === 0 && place.queue.length > 0) break;
      this.#places.delete(eco);
      taken.push({ ...place, jobs, reports });
      left -= records;
    }
    return taken;
  }

  async #transaction(taken: readonly (Taken & Place)[]): Promise<void> {
    const rest = new Set(await this.#commit(taken));
    this.#running -= 1;
    this.#next();
    for (const one of taken) {
      if (rest.has(one)) void this.#alone(one).then(one.end);
      else one.end();
    }
  }
}
