/**
 * The order in which a node has stated the properties of one device: each REPORT and each answer has a number. The numbers show which
 * answers may be older than a statement since the request left (B9). Pure; the callers decide what follows.
 */
import type { RequestWatch } from "../exchange/request-queue.ts";

/** Number of times that a property is read again when its VALUE may be outdated. B9. */
export const READS_AGAIN = 3;

export class Statements {
  #count = 0;
  readonly #latest = new Map<string, number>();

  /** The node has stated a property's value, or may have executed a WRITE of it without an answer. @param key of its address */
  add(key: string): void {
    this.#count += 1;
    this.#latest.set(key, this.#count);
  }

  /** Follows one request of a property from its first copy to its answer, which is a statement itself. */
  watch(key: string): OvertakenWatch {
    let since = this.#count;
    const watch = {
      isOvertaken: false,
      left: () => {
        since = this.#count;
      },
      answered: () => {
        watch.isOvertaken = (this.#latest.get(key) ?? 0) > since;
        this.add(key);
      },
    };
    return watch;
  }

  /** Forgets the properties; pending requests keep correct results. */
  clear(): void {
    this.#latest.clear();
  }
}

export interface OvertakenWatch extends RequestWatch {
  /** Whether the node has made another statement about the property between the first copy and the answer. */
  readonly isOvertaken: boolean;
}
