/** What a command is: a value, of which the command line, help, completion and documents are made. */
import type { Args, Option, Parameter } from "./args.ts";
import type { Context } from "./context.ts";

export type { Option, Parameter } from "./args.ts";

export interface Action {
  readonly parameters?: readonly Parameter[];
  readonly options?: readonly Option[];
  /** Whole command lines, beginning with `porchlight`. */
  readonly examples: readonly string[];
  /** What more must be known, one paragraph each. */
  readonly notes?: readonly string[];
  /** @throws Failure, PorchlightError, the signal's reason */
  run(context: Context, args: Args): Promise<void>;
}

/** A command with its name: a verb of a noun. */
export interface Command extends Action {
  readonly name: string;
  readonly summary: string;
}

/** One line of the table of commands: a verb alone, or a noun with its verbs. Its module is loaded when it is wanted. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  /** Heading of help under which it stands. */
  readonly section: Section;
  readonly load: () => Promise<Action | readonly Command[]>;
}

export const SECTIONS = [
  "Begin",
  "Devices",
  "Places",
  "People and programs",
  "Events",
  "The service",
  "Other commands",
] as const;
export type Section = (typeof SECTIONS)[number];

/** Whether an entry is a noun. */
export function isNoun(loaded: Action | readonly Command[]): loaded is readonly Command[] {
  return Array.isArray(loaded);
}
