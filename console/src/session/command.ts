/**
 * The description of a command as a value, from which the command line, help, completion and documents are built, and what a command is
 * given to run: the client, the terminal, questions, settings, time and randomness.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { Output } from "../render/output.ts";
import type { Connection } from "../settings/connection.ts";
import type { SettingsFile } from "../settings/settings-file.ts";
import type { Args, Option, Parameter } from "./args.ts";
import type { Prompts, Surroundings } from "./prompts.ts";

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

export interface Context extends Surroundings {
  readonly output: Output;
  readonly prompts: Prompts;
  readonly settings: SettingsFile;
  /** The service and the credential in use. */
  readonly connection: Connection;
  /** The client with the current token. @throws Failure "notAllowed" when there is none */
  readonly porchlight: Porchlight;
  /** The client without a token. */
  readonly anonymous: Porchlight;
  /** The client with a token other than the current one. */
  readonly as: (token: string) => Porchlight;
  /** Sends a raw request, with `--debug` and Ctrl-C: for requests that the client has no method for. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Options that may stand before or after every command. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly colour: boolean;
  readonly debug: boolean;
  readonly profile: string | undefined;
  readonly apiUrl: string | undefined;
}

export const GLOBAL_OPTIONS: readonly Option[] = [
  { name: "json", summary: "Prints JSON with the field names of the API; errors too, on stderr" },
  { name: "profile", value: "NAME", summary: "Uses that profile (PORCHLIGHT_PROFILE)" },
  { name: "api-url", value: "URL", summary: "Address of the service (PORCHLIGHT_API_URL)" },
  { name: "no-color", summary: "No colour (NO_COLOR)" },
  { name: "debug", summary: "Prints the requests, without tokens" },
  { name: "version", summary: "Shows the console's version" },
  { name: "help", short: "h", summary: "Shows help" },
];
