/** The parsed words and options of one command line, by their declared names. */
import { UsageError } from "./failure.ts";

export class Args {
  readonly #parameters: ReadonlyMap<string, string | readonly string[] | undefined>;
  readonly #mayBeEmpty: ReadonlySet<string>;
  readonly #options: Readonly<Record<string, unknown>>;

  /**
   * @param declared parameters of the command
   * @param words values of the parameters, in order; a list for the last when it takes the rest
   * @param options by name, as the command-line parser returns them
   */
  constructor(declared: readonly Parameter[], words: readonly unknown[], options: Readonly<Record<string, unknown>>) {
    const parameters = declared.map(({ name, isRest }, index) => {
      const word = words[index];
      return [name, isRest ? listOf(word) : typeof word === "string" ? word : undefined] as const;
    });
    this.#parameters = new Map(parameters);
    this.#mayBeEmpty = new Set(declared.filter(({ mayBeEmpty }) => mayBeEmpty).map(({ name }) => name));
    this.#options = options;
  }

  /** A required parameter, or an optional one that is present. @throws UsageError when it is empty and may not be */
  word(name: string): string {
    const word = this.#parameters.get(name);
    if (typeof word === "string" && (word !== "" || this.#mayBeEmpty.has(name))) return word;
    throw new UsageError(`${name} is missing.`, "It is empty.", `give ${name}`);
  }

  /** An optional parameter. */
  optionalWord(name: string): string | undefined {
    const word = this.#parameters.get(name);
    return typeof word === "string" ? word : undefined;
  }

  /** All words of a parameter that takes the rest. */
  rest(name: string): readonly string[] {
    return listOf(this.#parameters.get(name));
  }

  /** Value of an option; the last one when the option is repeated. */
  text(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** All values of a repeatable option. */
  all(name: string): readonly string[] {
    const value = this.#options[name];
    return typeof value === "string" ? [value] : listOf(value);
  }

  /** Number of an option, already validated. */
  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  /** Whether a flag is set. */
  has(name: string): boolean {
    return this.#options[name] === true;
  }
}

/** @throws UsageError when the option does not accept the value */
export function checkOption({ name, number, choices }: Option, text: string): void {
  if (number) {
    const [from, to] = number;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to)
      throw new UsageError(
        `--${name} takes a whole number from ${from} to ${to}.`,
        `\`${text}\` is not one.`,
        `give --${name} ${from}`,
      );
  }
  if (choices && !choices.includes(text))
    throw new UsageError(
      `--${name} takes one of: ${choices.join(", ")}.`,
      `\`${text}\` is not one of them.`,
      `give --${name} ${choices[0] ?? ""}`,
    );
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** A word after the command, by its position. */
export interface Parameter {
  /** In capitals, as in help: `DEVICE`. */
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: true;
  /** Takes all remaining words. */
  readonly isRest?: true;
  /** Whether an empty word is a valid value. An empty reference would lead to another route. */
  readonly mayBeEmpty?: true;
}

export interface Option {
  /** Name without hyphens: `meta-file`. */
  readonly name: string;
  /** One letter, for frequent options. */
  readonly short?: string;
  /** Name of the value, in capitals: `FILE`. An option without it is a flag. */
  readonly value?: string;
  readonly summary: string;
  /** Whether it may be repeated. */
  readonly isRepeatable?: true;
  /** Accepts a whole number in this range. */
  readonly number?: readonly [from: number, to: number];
  readonly choices?: readonly string[];
  /** Former names: still accepted, but shown nowhere. */
  readonly formerNames?: readonly string[];
  /** Whether it is required. */
  readonly isRequired?: true;
}
