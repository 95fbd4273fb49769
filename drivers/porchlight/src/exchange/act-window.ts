/**
 * Which requests that act may be under way at once, so that a repetition is always known as one: a node need remember its
 * answers to no more than the last `win` WRITEs and IDENTIFYs, in the order in which it carried them out. DP5, "Repetitions".
 */

interface Act {
  readonly id: number;
  /** Those that the node may have carried out after it: with `win` of them its answer is forgotten. */
  readonly after: number[];
}

export class ActWindow {
  readonly #win: number;
  readonly #open: Act[] = [];
  #last = 0;

  /** @param win requests that the node takes at once, which is also how many answers it remembers */
  constructor(win: number) {
    this.#win = win;
  }

  /** Whether a fresh one could push none out of the node's memory that may still have to be repeated. */
  mayBegin(): boolean {
    return this.#open.every((act) => this.#hasRoom(act));
  }

  /** A fresh one leaves; gives its id. */
  begin(): number {
    this.#last += 1;
    for (const act of this.#open) act.after.push(this.#last);
    this.#open.push({ id: this.#last, after: [] });
    return this.#last;
  }

  /** Whether it may leave again: its first bytes may never have come, and then it is carried out after later ones. */
  mayRepeat(id: number): boolean {
    return this.#open.every((act) => act.id <= id || act.after.includes(id) || this.#hasRoom(act));
  }

  /** It leaves again. */
  repeat(id: number): void {
    for (const act of this.#open) if (act.id > id && !act.after.includes(id)) act.after.push(id);
  }

  /** It is answered, or will not be repeated any more. Safe to repeat. */
  end(id: number): void {
    const at = this.#open.findIndex((act) => act.id === id);
    if (at !== -1) this.#open.splice(at, 1);
  }

  #hasRoom({ after }: Act): boolean {
    return after.length < this.#win - 1;
  }
}
