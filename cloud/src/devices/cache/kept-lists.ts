/**
 * What selectors have meant in an environment, as it was last written, until anything of that changes: pages that are looked at ask for the
 * same again and again. Its own file because it alone says how much of it may be kept.
 */

/** Items of an answer that is written at once. */
export interface KeptList {
  /** How many properties the selector means; those without a value are no items. */
  readonly size: number;
  /** JSON of the items, with commas between them. */
  readonly text: string;
}

/** Characters for each device and value: about as much as their items take by themselves. */
const LENGTH_EACH = 300;
/** What a list takes besides its texts. */
const LENGTH_OF_ENTRY = 100;

export class KeptLists {
  readonly #lists = new Map<string, KeptList>();
  #length = 0;

  /** @param selector its text */
  get(selector: string): KeptList | undefined {
    return this.#lists.get(selector);
  }

  /** @param weight devices and values of the environment; what is too long for it is not kept */
  keep(selector: string, list: KeptList, weight: number): void {
    const length = selector.length + list.text.length + LENGTH_OF_ENTRY;
    const most = weight * LENGTH_EACH;
    if (length > most) return;
    if (this.#length + length > most) this.forget();
    this.#lists.set(selector, list);
    this.#length += length;
  }

  /** Something has changed. */
  forget(): void {
    if (this.#lists.size === 0) return;
    this.#lists.clear();
    this.#length = 0;
  }
}
