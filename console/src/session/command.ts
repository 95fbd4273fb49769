/** The description of a command as a value, from which the command line, help, completion and documents are built. */
import type { Args, Option, Parameter } from "./args.ts";
import type { Context } from "./context.ts";

export type { Option, Parameter } from "./args.ts";

export interface Action {
  readonly parameters?: readonly Parameter[];
  readonly options?: readonly Option[];
  /** Whole command lines, beginning with `porchlight`. */
  readonly examples: readonly string[];
  /** Further facts, one paragraph each. */
  readonly notes?: readonly string[];
  /** @throws Failure, PorchlightError, the signal's reason */
  run(context: Context, args: Args): Promise<void>;
}

/** A command with its name, which is a verb for a noun. */
export interface Command extends Action {
  readonly name: string;
  readonly summary: string;
}

/** One line of the table of commands: a single verb, or a noun with its verbs. Its module is loaded on demand. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  /** Heading of the help section that lists it. */
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
type Section = (typeof SECTIONS)[number];

/** Whether an entry is a noun. */
export function isNoun(loaded: Action | readonly Command[]): loaded is readonly Command[] {
  return Array.isArray(loaded);
}
