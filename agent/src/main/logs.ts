/** `porchlight-agent logs`: the agent's own log files, put into words, and what comes as it comes. */
import { sleep } from "@porchlight/shared/kernel";
import { isLevel, LEVELS, LogReader, logLine } from "../ops/index.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder, type Surroundings } from "./command.ts";

interface Options {
  readonly data: string;
  readonly follow?: boolean;
  readonly lines: string;
  readonly level: string;
  readonly json?: boolean;
}

/** How often new lines are looked for, ms. */
const LOOK_MS = 250;

export const addLogs: AddCommand = (program, around) => {
  onDataFolder(program.command("logs"), around)
    .description("show the newest lines of the agent's log")
    .option("-f, --follow", "follow new lines")
    .option("-n, --lines <count>", "number of lines", "100")
    .option("--level <level>", `least level: ${LEVELS.join(", ")}`, "info")
    .option("--json", "print the JSON lines as written")
    .action((options: Options) => logs(options, around));
};

async function logs({ data, follow, lines, level, json }: Options, around: Surroundings): Promise<void> {
  if (!isLevel(level)) throw new CommandFailed(`--level must be one of ${LEVELS.join(", ")}`, EXIT.failed);
  const last = Number(lines);
  if (!Number.isInteger(last) || last < 0) throw new CommandFailed("--lines must be a whole number", EXIT.failed);
  const reader = new LogReader(data);
  const say = (raw: string) => {
    const line = logLine(raw, level);
    if (line !== undefined) around.out(json ? `${raw}\n` : `${line}\n`);
  };
  const past = reader.read();
  if (past.length === 0 && !follow)
    throw new CommandFailed("this folder has no log: the agent has not run, or `logBytes` is 0", EXIT.notFound);
  for (const raw of past.filter((line) => logLine(line, level) !== undefined).slice(last === 0 ? past.length : -last))
    say(raw);
  while (follow) {
    await sleep(around.clock, "more log", LOOK_MS);
    for (const raw of reader.read()) say(raw);
  }
}
