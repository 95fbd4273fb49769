/**
 * The seqs of the hub's requests on a line. A seq is used up in the moment in which a frame is handed to the line and not before, so that
 * a withdrawn request leaves no gap (M2 of the device protocol).
 */
import { nextSeq } from "@porchlight/shared/wire";

export class Seqs {
  #last: number;

  /** @param last counts as used: any start is valid */
  constructor(last: number) {
    this.#last = last;
  }

  /** The seq of the next request that leaves. */
  get next(): number {
    return nextSeq(this.#last);
  }

  /** Uses up the seq: its request leaves now. */
  take(): number {
    this.#last = this.next;
    return this.#last;
  }
}
