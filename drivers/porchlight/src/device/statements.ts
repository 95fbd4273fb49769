/**
 * The order in which a node has stated the properties of one device: each REPORT and each answer has a number. By it an answer is
 * recognised that may be older than what the node has stated since the request left (B9). Pure, and apart from what is done about it.
 */
import type { RequestWatch } from "../exchange/ask.ts";

/** How often a property is read again whose VALUE may be the older one. B9. */
export const READS_AGAIN = 3;

export class Statements {
  #count = 0;
  readonly #latest = new Map<string, number>();

  /** The node states what a property is, or has perhaps carried out a WRITE of it without an answer. @param key of its address */
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

  /** Forgets the properties; requests under way are not mistaken. */
  clear(): void {
    this.#latest.clear();
  }
}

export interface OvertakenWatch extends RequestWatch {
  /** Whether the node has stated something else of the property between the first copy and the answer. */
  readonly isOvertaken: boolean;
}
