/** The names of a template and their values: what is set in a turn of a loop ends with that turn, as in Jinja. */
import type { Data } from "./python-values.ts";

export class Names {
  readonly #own: Map<string, Data>;
  readonly #outer: Names | undefined;

  constructor(own: Iterable<readonly [string, Data]>, outer?: Names) {
    this.#own = new Map(own);
    this.#outer = outer;
  }

  /** Undefined for a name that has no value. */
  get(name: string): Data | undefined {
    const own = this.#own.get(name);
    return own === undefined ? this.#outer?.get(name) : own;
  }

  set(name: string, value: Data): void {
    this.#own.set(name, value);
  }
}
