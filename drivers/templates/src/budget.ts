/** How much the templates of one message may do: they are written by a stranger, and are rendered for each message. */
import { type CompiledPatterns, type Data, isList, TemplateError } from "./python-values.ts";

/** What reading one message has taken: all templates that read it share one allowance of steps. */
export interface MessageWork {
  steps: number;
}

/** Longest text that a rendering may write, or hold in a value, characters. */
const MOST_TEXT = 16 * 1024;
/** Items of a list that a rendering may make. */
export const MOST_ITEMS = 1000;
const MOST_STEPS = 10_000;
/** Values inside of values. */
export const DEEPEST = 100;

/** As many members and characters of a value are looked at in one step. */
const SIZE_OF_STEP = 64;

/** Of a value with all that is inside of it, counted each time that it is there: two lines of a template can double it. */
interface Measure {
  readonly size: number;
  readonly depth: number;
}

export class Budget {
  readonly #measured = new Map<object, Measure>();
  readonly patterns: CompiledPatterns;
  readonly #work: MessageWork;

  /**
   * @param patterns of the template, from its renderings before
   * @param work of all templates that read the same message, with those before
   */
  constructor(patterns: CompiledPatterns, work: MessageWork) {
    this.patterns = patterns;
    this.#work = work;
  }

  /** @throws TemplateError when nothing is left */
  step(count = 1): void {
    this.#work.steps += count;
    if (this.#work.steps > MOST_STEPS) throw new TemplateError(`the template takes more than ${MOST_STEPS} steps`);
  }

  /** Takes as many steps as looking at all of the value takes, and gives the value. @throws TemplateError */
  weigh<Value extends Data>(value: Value): Value {
    const { size } = this.#measure(value, 0);
    if (size >= SIZE_OF_STEP) this.step(Math.floor(size / SIZE_OF_STEP));
    return value;
  }

  /** @throws TemplateError for what has more in it than a text can have */
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

/** The text itself. @throws TemplateError when it is too long */
export function boundedText(text: string): string {
  checkLength(text.length);
  return text;
}

/** Before a text of so many characters is made. @throws TemplateError when it is too long */
export function checkLength(length: number): void {
  if (length > MOST_TEXT) throw tooLong();
}

function tooLong(): TemplateError {
  return new TemplateError(`the text is longer than ${MOST_TEXT} characters`);
}

/** The list itself. @throws TemplateError when it is too long */
export function boundedList<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > MOST_ITEMS) throw new TemplateError(`the list has more than ${MOST_ITEMS} items`);
  return items;
}
