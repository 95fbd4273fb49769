/** How much one rendering may do: a template is written by a stranger, and is rendered for each message. */
import { TemplateError } from "./python-values.ts";

/** Longest text that a rendering may write, or hold in a value, characters. */
const MOST_TEXT = 16 * 1024;
/** Items of a list that a rendering may make. */
export const MOST_ITEMS = 1000;
const MOST_STEPS = 10_000;

export class Budget {
  #steps = MOST_STEPS;

  /** @throws TemplateError when nothing is left */
  step(count = 1): void {
    this.#steps -= count;
    if (this.#steps < 0) throw new TemplateError(`the template takes more than ${MOST_STEPS} steps`);
  }
}

/** The text itself. @throws TemplateError when it is too long */
export function boundedText(text: string): string {
  if (text.length > MOST_TEXT) throw new TemplateError(`the text is longer than ${MOST_TEXT} characters`);
  return text;
}

/** The list itself. @throws TemplateError when it is too long */
export function boundedList<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > MOST_ITEMS) throw new TemplateError(`the list has more than ${MOST_ITEMS} items`);
  return items;
}
