/** `porchlight-sim soak`: sends requests to a board for minutes or hours, and checks its times and losses against the team's limits. */
import { writeFileSync } from "node:fs";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { Command, Option } from "commander";
import { Unreachable } from "../lab/conform/rule.ts";
import { judge, limitsOf, soak } from "../lab/shell/soak.ts";
import { reportJson, reportJunit, reportLines, stretchJson, stretchLine } from "../lab/shell/soak-report.ts";
import { duration, Mistake } from "../simulator/read-step.ts";
import { noteLine, printLine, textOf, UsageError } from "./command-line.ts";
import { type PlaceOptions, placeOfOption } from "./replay.ts";
import { FAILED, INTERRUPTED, OK, TIMED_OUT } from "./shell.ts";

interface SoakOptions extends PlaceOptions {
  readonly for: string;
  readonly pause: string;
  readonly interval: string;
  readonly limit: readonly string[];
  readonly limits?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

/** Tolerated delay of a frame on a busy machine, ms. */
const JITTER = 250;
const DEFAULT_LINES = ["read", "ping"];

/** The `soak` command. */
export function soakCommand(): Command {
  return new Command("soak")
    .argument("[lines...]", "commands of the shell, each one word, again and again; read and ping when left out")
    .description(
      "Ask a board for minutes or hours. Latency and loss for each kind of request, against limits; a reboot or a broken rule fails too.",
    )
    .addOption(new Option("--serial <path[@baud]>", "the serial line of the device").conflicts("tcp"))
    .addOption(new Option("--tcp <host:port>", "the network address of the device"))
    .addOption(new Option("--psk <hex>", "the key that the device shares with its hub, for TLS").env("PORCHLIGHT_PSK"))
    .addOption(new Option("--id <edgeid>", "edgeId of the device, which names the key"))
    .option("--for <time>", "how long: 90s, 30min, 8h", "10min")
    .option("--pause <time>", "from the end of one command to the next", "0ms")
    .option("--interval <time>", "how often figures are printed", "1min")
    .addOption(
      new Option("--limit <words>", 'such as "READ p99 under 50ms", "ALL lost under 0.1%"; can be repeated')
        .default([])
        .argParser((words: string, before: string[]) => [...before, words]),
    )
    .option("--limits <file>", "limits, one on each line; # begins a comment")
    .option("--junit <file>", "the report as JUnit, with a test case for each limit")
    .addOption(
      new Option("--json", "print one JSON object for each interval, then one for the whole").env("PORCHLIGHT_JSON"),
    )
    .addHelpText(
      "after",
      "\nA limit is KIND median|p90|p99|p99.9|most under TIME, KIND lost|unanswered|errors under NUMBER or SHARE%, `commands failed`,\n`board reboots` or `board broken` under NUMBER. The last three are 1 when left out. KIND is READ, WRITE, PING, DESCRIBE, IDENTIFY or ALL.\n\nStatus: 0 every limit holds, 1 one does not, or the line went down, 2 wrong usage, 4 no such port, 5 another program has the port,\n6 no connection, 7 wrong key, 42 nothing came from the board, 130 interrupted.\n\nExample:\n  porchlight-sim soak --serial /dev/ttyUSB0 --for 8h --limit 'READ p99 under 50ms' read 'write Switch.on true' 'write Switch.on false'",
    )
    .action(soakBoard);
}

async function soakBoard(given: readonly string[], options: SoakOptions): Promise<void> {
  const { json, junit } = options;
  const place = placeOfOption(options);
  if (!place) throw new UsageError("Specify the board: --serial PATH[@BAUD] or --tcp HOST:PORT.");
  const limits = mistakesAsUsage(() =>
    limitsOf([...options.limit, ...(options.limits ? textOf(options.limits).split("\n") : [])]),
  );
  const [ms, pause, interval] = [
    time("--for", options.for),
    time("--pause", options.pause),
    time("--interval", options.interval),
  ];
  if (interval === 0) throw new UsageError("--interval: it must be above 0");
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
  const link = await place.open();
  interrupted.signal.addEventListener("abort", () => link.close());
  try {
    const soaked = await soak({
      ...{ clock: systemClock, random: systemRandom, link, jitter: JITTER, where: place.name },
      ...{ lines: given.length > 0 ? given : DEFAULT_LINES, ms, pause, interval, signal: interrupted.signal },
      onInterval: (stretch) => printLine(json ? stretchJson(stretch) : stretchLine(stretch)),
      onTrouble: noteLine,
    });
    const report = { subject: place.name, soaked, judged: judge(soaked, limits) };
    for (const line of json ? [reportJson(report)] : reportLines(report)) printLine(line);
    if (junit !== undefined) writeFileSync(junit, reportJunit(report));
    const isGood = soaked.ended === undefined && report.judged.every(({ holds }) => holds);
    process.exitCode = soaked.ended?.by === "signal" ? INTERRUPTED : isGood ? OK : FAILED;
  } catch (failure) {
    if (failure instanceof Mistake) throw new UsageError(failure.message);
    if (!(failure instanceof Unreachable)) throw failure;
    noteLine(failure.message);
    process.exitCode = interrupted.signal.aborted ? INTERRUPTED : TIMED_OUT;
  } finally {
    link.close();
  }
}

function time(option: string, words: string): number {
  return mistakesAsUsage(() => duration(words), `${option}: `);
}

function mistakesAsUsage<T>(read: () => T, before = ""): T {
  try {
    return read();
  } catch (failure) {
    throw failure instanceof Mistake ? new UsageError(`${before}${failure.message}`) : failure;
  }
}
