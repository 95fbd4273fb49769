/** What a command is: a value, of which the command line, help, completion and documents are made. */
import type { Args } from "./args.ts";
import type { Context } from "./context.ts";

/** A word after the command. */
export interface Parameter {
  /** In capitals, as help shows it: `DEVICE`. */
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: true;
  /** It takes all words that are left. */
  readonly isRest?: true;
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
  /** It has to be there. */
  readonly isRequired?: true;
}

export interface Action {
  readonly parameters?: readonly Parameter[];
  readonly options?: readonly Option[];
  /** Whole command lines, beginning with `porchlight`. */
  readonly examples: readonly string[];
  /** What more is to be known, one paragraph each. */
  readonly notes?: readonly string[];
  /** @throws Failure, PorchlightError, the signal's reason */
  run(context: Context, args: Args): Promise<void>;
}

/** A command with its name: a verb of a noun. */
export interface Command extends Action {
  readonly name: string;
  readonly summary: string;
}

/** One line of the table of commands: a verb of its own, or a noun with its verbs. Its module is loaded when it is wanted. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  /** Heading of help under which it stands. */
  readonly section: Section;
  readonly load: () => Promise<Action | readonly Command[]>;
}

export const SECTIONS = ["Begin", "Devices", "Places", "People and programs", "Events", "The service", "Else"] as const;
export type Section = (typeof SECTIONS)[number];

/** Whether an entry is a noun. */
export function isNoun(loaded: Action | readonly Command[]): loaded is readonly Command[] {
  return Array.isArray(loaded);
}
