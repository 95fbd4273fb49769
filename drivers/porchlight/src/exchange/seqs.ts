/**
 * The seqs of the hub's requests on a line. Apart from those, because of when one is used up: in the moment in which a frame is handed
 * to the line and not before, so that what is withdrawn leaves no gap (M2 of the device protocol).
 */
import { nextSeq } from "@porchlight/shared/wire";

export class Seqs {
  #last: number;

  /** @param last counts as used: any start will do */
  constructor(last: number) {
    this.#last = last;
  }

  /** What the next request carries, should it leave. */
  get next(): number {
    return nextSeq(this.#last);
  }

  /** Uses it up: its request leaves now. */
  take(): number {
    this.#last = this.next;
    return this.#last;
  }
}
