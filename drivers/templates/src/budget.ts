/** Limits the work of the templates of one message: strangers write them, and they are rendered for each message. */
import { type CompiledPatterns, type Data, isList, TemplateError } from "./python-values.ts";

/** The work for reading one message: all templates that read it share one allowance of steps. */
export interface MessageWork {
  steps: number;
}

/** Longest text that a rendering may produce, as output or as a value, characters. */
const MOST_TEXT = 16 * 1024;
/** Maximum number of items of a list that a rendering may create. */
export const MOST_ITEMS = 1000;
const MOST_STEPS = 10_000;
/** Maximum nesting depth of values. */
export const DEEPEST = 100;

/** Number of members and characters of a value that are visited in one step. */
const SIZE_OF_STEP = 64;

/** Size and depth of a value with its contents, counted at each occurrence: two lines of a template can double it. */
interface Measure {
  readonly size: number;
  readonly depth: number;
}

export class Budget {
  readonly #measured = new Map<object, Measure>();
  readonly patterns: CompiledPatterns;
  readonly #work: MessageWork;

  /**
   * @param patterns compiled in the template's earlier renderings
   * @param work shared by all templates that read the same message, including earlier ones
   */
  constructor(patterns: CompiledPatterns, work: MessageWork) {
    this.patterns = patterns;
    this.#work = work;
  }

  /** @throws TemplateError when the allowance is used up */
  step(count = 1): void {
    this.#work.steps += count;
    if (this.#work.steps > MOST_STEPS) throw new TemplateError(`the template takes more than ${MOST_STEPS} steps`);
  }

  /** Charges the steps for a visit of the whole value, and returns the value. @throws TemplateError */
  weigh<Value extends Data>(value: Value): Value {
    const { size } = this.#measure(value, 0);
    if (size >= SIZE_OF_STEP) this.step(Math.floor(size / SIZE_OF_STEP));
    return value;
  }

  /** @throws TemplateError for a value with more contents than a text can have */
  checkIsShort(value: Data): void {
    if (this.#measure(value, 0).size > MOST_TEXT) throw tooLong();
  }

  #measure(value: Data, level: number): Measure {
    if (level > DEEPEST) throw new TemplateError("the value is nested too deep");
    if (typeof value === "string") return { size: value.length + 1, depth: 0 };
    if (!(value instanceof Map) && !isList(value)) return SINGLE;
    const known = this.#measured.get(value);
    if (known) {
      if (level + known.depth > DEEPEST) throw new TemplateError("the value is nested too deep");
      return known;
    }
    let [size, depth] = [1, 0];
    const add = (member: Data) => {
      const inside = this.#measure(member, level + 1);
      size += inside.size;
      depth = Math.max(depth, inside.depth + 1);
    };
    if (value instanceof Map) {
      for (const [key, member] of value) {
        add(key);
        add(member);
      }
    } else for (const member of value) add(member);
    this.#measured.set(value, { size, depth });
    return { size, depth };
  }
}

const SINGLE: Measure = { size: 1, depth: 0 };

/** Returns the text. @throws TemplateError when it is too long */
export function boundedText(text: string): string {
  checkLength(text.length);
  return text;
}

/** Call it before a text of that many characters is made. @throws TemplateError when it is too long */
export function checkLength(length: number): void {
  if (length > MOST_TEXT) throw tooLong();
}

function tooLong(): TemplateError {
  return new TemplateError(`the text is longer than ${MOST_TEXT} characters`);
}

/** Returns the list. @throws TemplateError when it is too long */
export function boundedList<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > MOST_ITEMS) throw new TemplateError(`the list has more than ${MOST_ITEMS} items`);
  return items;
}
