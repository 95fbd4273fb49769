/** The program apart from its process, so that it runs within a test as well: from words to an exit status. */
import { CommanderError } from "commander";
import { ENTRIES } from "../commands/table.ts";
import type { Entry } from "../session/command.ts";
import { EXIT, UsageError } from "../session/failure.ts";
import type { Surroundings } from "../session/surroundings.ts";
import { CONSOLE_VERSION } from "../settings/version.ts";
import { commandLine } from "./command-line.ts";
import { topicHelp } from "./topics.ts";

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
    // Help and version are commander's to show, which throws after it; so there is a command here.
    if (chosen === undefined) return EXIT.usage;
    // Not before it is known that there is something to run: `--help` and `--version` need none of it.
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
  const told = failure instanceof CommanderError ? wrongUsage(failure, asked.argv, entries) : failure;
  return report(told, output, apiUrl, debug);
}

/** `help COMMAND` is the command with `--help`; nothing at all is `--help`. */
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

/** What commander says, in our words. */
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
