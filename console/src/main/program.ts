/** The program without its process, so that it also runs within a test: from words to an exit status. */
import { CommanderError } from "commander";
import { ENTRIES } from "../commands/table.ts";
import type { Entry } from "../session/command.ts";
import { EXIT, UsageError } from "../session/failure.ts";
import type { Surroundings } from "../session/prompts.ts";
import { CONSOLE_VERSION } from "../settings/version.ts";
import { commandLine } from "./command-line.ts";
import { exitStatusHelp } from "./help.ts";

const USUAL_WIDTH = 80;

/**
 * Runs one command to its end.
 * @param argv the words after the program's name
 * @param entries the table of commands
 * @returns the exit status
 */
export async function runProgram(
  argv: readonly string[],
  around: Surroundings,
  entries: readonly Entry[] = ENTRIES,
): Promise<number> {
  const { stdout, stderr, env } = around;
  const width = Math.min(stdout.columns ?? (Number(env.COLUMNS) || USUAL_WIDTH), 120);
  const line = commandLine({
    ...{ entries, version: CONSOLE_VERSION, width },
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
  });
  const asked = helpAsked(argv, width);
  if (asked.topic !== undefined) {
    stdout.write(asked.topic);
    return EXIT.done;
  }
  let failure: unknown;
  let apiUrl = "";
  let isJson = line.options.json;
  try {
    const chosen = await line.read(asked.argv);
    // Commander prints help and version itself and then throws, so there is a command here.
    if (chosen === undefined) return EXIT.usage;
    // Load it only when there is a command to run: `--help` and `--version` do not need it.
    const { openSession } = await import("../session/open.ts");
    const context = openSession(around, line.options);
    apiUrl = context.connection.apiUrl;
    isJson = context.output.isJson;
    for (const { former, name } of chosen.renamed) context.output.note(`--${former} is deprecated: use --${name}.`);
    await Promise.race([chosen.action.run(context, chosen.args), ended(around.signal)]);
    return EXIT.done;
  } catch (cause) {
    failure = cause;
  }
  if (failure instanceof CommanderError && failure.exitCode === 0) return EXIT.done;
  if (failure instanceof CommanderError && failure.code === "commander.help") return EXIT.usage;
  const [{ report }, { Output }] = await Promise.all([import("./failures.ts"), import("../render/output.ts")]);
  const { colour, debug } = line.options;
  const output = new Output({ ...around, isJson: isJson || line.options.json, colour });
  const reported = failure instanceof CommanderError ? wrongUsage(failure, asked.argv, entries) : failure;
  return report(reported, output, apiUrl, debug);
}

/** Treats `help COMMAND` as the command with `--help`, and an empty command line as `--help`. */
function helpAsked(argv: readonly string[], width: number): { argv: readonly string[]; topic?: string | undefined } {
  if (argv.length === 0) return { argv: ["--help"] };
  if (argv[0] !== "help") return { argv };
  const topic = argv.length === 2 ? topicHelp(argv[1] ?? "", width) : undefined;
  return { argv: [...argv.slice(1), "--help"], topic };
}

/** Rejects with the signal's reason. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Commander's messages in our words. */
function wrongUsage(failure: CommanderError, argv: readonly string[], entries: readonly Entry[]): UsageError {
  const [first = "", second] = failure.message.replace(/^error: /, "").split("\n");
  const what = `${first.charAt(0).toUpperCase()}${first
    .slice(1)
    .replaceAll("'", "`")
    .replace(/<([^>]+)>/g, "$1")}`.replace(/\.?$/, ".");
  const meant = second?.replace(/^\(|\)$/g, "");
  const words = argv.filter((word) => !word.startsWith("-"));
  const known = entries.some(({ name }) => name === words[0]);
  const isVerb = known && failure.code !== "commander.unknownCommand" && /^[a-z-]+$/.test(words[1] ?? "");
  const path = known ? words.slice(0, isVerb ? 2 : 1) : [];
  const why = meant ?? "The console does not understand this command line.";
  return new UsageError(what, why, ["porchlight", "help", ...path].join(" "));
}

/** Help about the rules for all commands: `porchlight help TOPIC`. */
const REFERENCES = `How things are named

  env_01h4…                 an ID
  'env_01h4…;lamp'          \`lamp\` in that environment; quote the semicolon, or the shell interprets it
  lamp                      the same in the environment of --environment, PORCHLIGHT_ENVIRONMENT or the profile;
                            without one of these, in the only environment that there is
  'home;lamp'               \`lamp\` in the environment \`home\` of your ecosystem
  'home;kitchen;lamp'       the same in its zone \`kitchen\`

What begins with an ID is sent as it is. With --environment any other begins in that environment; without it, one word begins in the
environment, and two or more begin in the ecosystem. Users, servers and environments begin in the ecosystem.
`;

const SCRIPTING = `In scripts

  Data goes to stdout, everything else to stderr. In a pipe a list is one line an item, with a tab between the fields and no heading.
  --json gives the API's own field names: {"items": […]} of a list, the whole of it; one object a line (NDJSON) of a stream. After an
  error the problem object is on stderr.
  Nothing is asked without a terminal: what destroys needs --yes, and a password comes by --password-stdin.

Variables

  PORCHLIGHT_TOKEN          a token of any kind, in place of the profile's
  PORCHLIGHT_TOKEN_FILE     a file with such a token
  PORCHLIGHT_API_URL        the service's address
  PORCHLIGHT_PROFILE        the profile
  PORCHLIGHT_ENVIRONMENT    where \`lamp\` alone is looked up
  PORCHLIGHT_ECOSYSTEM      for accounts with several
  PORCHLIGHT_SETTINGS       the settings file; otherwise XDG_CONFIG_HOME/porchlight/settings.json, or ~/.porchlight/settings.json
  NO_COLOR, FORCE_COLOR     never colour, always colour

Flags go before variables, variables before the profile.
`;

/** The text of a topic; undefined when it does not exist. */
function topicHelp(topic: string, width: number): string | undefined {
  switch (topic) {
    case "references":
      return REFERENCES;
    case "scripting":
      return SCRIPTING;
    case "exit-statuses":
    case "exit-codes":
      return exitStatusHelp(width);
    default:
      return undefined;
  }
}
