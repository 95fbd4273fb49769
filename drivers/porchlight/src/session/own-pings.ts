/** The hub's PINGs that have no PONG yet: what tells an echo of them from a node's own. */
import { PINGS } from "@porchlight/shared/wire";

export class OwnPings {
  /** The last ones: those before them have had their time. */
  #seqs: readonly number[] = [];

  sent(seq: number): void {
    this.#seqs = [...this.#seqs.slice(1 - PINGS), seq];
  }

  has(seq: number): boolean {
    return this.#seqs.includes(seq);
  }

  /** A PONG has come; false when it is not awaited. */
  answered(seq: number): boolean {
    if (!this.has(seq)) return false;
    this.#seqs = this.#seqs.filter((other) => other !== seq);
    return true;
  }
}
