/** Gathers what is asked for often, and passes it on at most twice a second, the first at once. */

/** ms */
const APART = 500;

export class Gathered {
  readonly #pass: (what: ReadonlySet<string>) => void;
  #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pass: (what: ReadonlySet<string>) => void) {
    this.#pass = pass;
  }

  add(what: string): void {
    this.#waiting.add(what);
    if (this.#timer === undefined) this.#flush();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    this.#pass(waiting);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting.size > 0) this.#flush();
    }, APART);
  }
}
