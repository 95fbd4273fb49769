/** The words of one command line, by the names under which the command declares them. */
import { UsageError } from "./failure.ts";

export class Args {
  readonly #parameters: ReadonlyMap<string, string | readonly string[] | undefined>;
  readonly #mayBeEmpty: ReadonlySet<string>;
  readonly #options: Readonly<Record<string, unknown>>;

  /**
   * @param declared what the command takes
   * @param words what stands for the parameters, in their order; a list for the last when it takes the rest
   * @param options by their names, as the command line's parser gives them
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

  /** A parameter that has to be there, or was. @throws UsageError when it is empty and may not be */
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

  /** All words of the parameter that takes the rest. */
  rest(name: string): readonly string[] {
    return listOf(this.#parameters.get(name));
  }

  /** What an option was given; the last, when it stood several times. */
  text(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** Everything that a repeatable option was given. */
  all(name: string): readonly string[] {
    const value = this.#options[name];
    return typeof value === "string" ? [value] : listOf(value);
  }

  /** A number that its option has been checked to be. */
  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  /** Whether a flag stands there. */
  has(name: string): boolean {
    return this.#options[name] === true;
  }
}

/** @throws UsageError when an option was given what it does not take */
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

// What may stand on a command line after the command: words in their order, and options by their names.

/** A word after the command. */
export interface Parameter {
  /** In capitals, as help shows it: `DEVICE`. */
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: true;
  /** It takes all words that are left. */
  readonly isRest?: true;
  /** Nothing between quotes is a value too. Of a reference it would be another route. */
  readonly mayBeEmpty?: true;
}

export interface Option {
  /** Without its hyphens: `meta-file`. */
  readonly name: string;
  /** One letter, for what is typed often. */
  readonly short?: string;
  /** What it takes, in capitals: `FILE`. A flag without it takes nothing. */
  readonly value?: string;
  readonly summary: string;
  /** It may stand several times. */
  readonly isRepeatable?: true;
  /** It takes a whole number from, to. */
  readonly number?: readonly [from: number, to: number];
  readonly choices?: readonly string[];
  /** Names that it had before: still understood, and shown nowhere. */
  readonly formerNames?: readonly string[];
  /** It has to be there. */
  readonly isRequired?: true;
}
