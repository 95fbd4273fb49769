/**
 * `porchlight-sim fuzz`: sends a board or a hub what a correct peer never sends, until it stops answering, and writes the cause to a
 * file.
 */
import { writeFileSync } from "node:fs";
import { randomInteger, seededRandom, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { Command, Option } from "commander";
import { inputsOf, Recorder } from "../lab/fuzz/finding-file.ts";
import { type Fuzzed, type FuzzOutcome, fuzz, Inputs, repeat } from "../lab/fuzz/fuzz.ts";
import type { Health, Sightings } from "../lab/fuzz/peer.ts";
import { noteLine, notNegative, printLine, textOf, UsageError, wholeNumber } from "./command-line.ts";
import { type FuzzTarget, type TargetOptions, targetOf } from "./fuzz-target.ts";
import { INTERRUPTED } from "./shell.ts";

interface FuzzOptions extends TargetOptions {
  readonly seed?: number;
  readonly frames?: number;
  readonly seconds?: number;
  readonly minimiseSeconds: number;
  readonly repeat?: string;
  readonly out?: string;
  readonly json?: boolean;
}

const FOUND = 1;
const TIMED_OUT = 42;
/** Default number of frames, when neither a number nor a time is given. */
const FRAMES = 10_000;
const PROGRESS_EVERY = 10_000;
const MOST_TRIES = 1000;

/** The `fuzz` command. */
export function fuzzCommand(): Command {
  return new Command("fuzz")
    .description(
      "Send valid, damaged, malformed and unexpected frames to a board or a hub. After every fifty, check whether it still answers. If it does not, write a capture with as few frames as possible.\nA board carries out what it receives: disconnect everything that must not move.",
    )
    .addOption(new Option("--serial <path[@baud]>", "the board"))
    .addOption(new Option("--tcp <host:port>", "the board"))
    .addOption(new Option("--psk <hex>", "the key that the board shares with its hub: TLS").env("PORCHLIGHT_PSK"))
    .addOption(new Option("--id <edgeid>", "the board's edgeId, which names the key"))
    .addOption(
      new Option("--reset <command>", "the command that resets the board; without it, a finding is not minimised"),
    )
    .addOption(new Option("--agent", "a hub on a pseudo-terminal").conflicts(["serial", "tcp"]))
    .addOption(new Option("--link <path>", "with --agent: stable path of the pseudo-terminal").env("PORCHLIGHT_LINK"))
    .addOption(
      new Option(
        "--exec <command>",
        "with --agent: the command that starts the hub; {port} becomes the path of its line",
      ),
    )
    .addOption(
      new Option(
        "--exec-log <file>",
        "with --exec: the file for the output of the hub; the last lines go to stderr when it ends",
      ),
    )
    .addOption(
      new Option("--seed <number>", "the same seed sends the same frames")
        .env("PORCHLIGHT_SEED")
        .argParser(wholeNumber),
    )
    .addOption(
      new Option("--frames <number>", `the number of frames; ${FRAMES} without --seconds`).argParser(wholeNumber),
    )
    .addOption(new Option("--seconds <number>", "how long").argParser(notNegative))
    .addOption(
      new Option("--minimise-seconds <number>", "the longest time for minimising a finding")
        .argParser(notNegative)
        .default(120),
    )
    .addOption(
      new Option("--repeat <file>", "send the frames of a capture once, and check").conflicts(["frames", "seconds"]),
    )
    .option("--out <file>", "file for the capture of a finding (fuzz-SEED.ndjson)")
    .addOption(new Option("--json", "print one JSON object").env("PORCHLIGHT_JSON"))
    .addHelpText(
      "after",
      "\nStatus: 0 it answered until the end, 1 there is a finding, 2 wrong usage, 42 no answer at the beginning, or --seconds ended\nbefore --frames, 130 interrupted.\n\nExamples:\n  porchlight-sim fuzz --serial /dev/ttyUSB0@115200 --reset 'openocd -c …' --seconds 600\n  porchlight-sim fuzz --agent --exec 'porchlight-agent run --cloud http://127.0.0.1:9 --data /tmp/fuzzed --serial {port}'",
    )
    .action(fuzzed);
}

async function fuzzed(options: FuzzOptions): Promise<void> {
  const seed = options.seed ?? randomInteger(systemRandom, 1_000_000);
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
  await using target = targetOf(options, seed);
  interrupted.signal.addEventListener("abort", () => target.peer.close());
  if (options.repeat === undefined) await hunt(options, target, seed, interrupted.signal);
  else await tryAgain(options, target, options.repeat);
  if (interrupted.signal.aborted) process.exitCode = INTERRUPTED;
}

async function hunt(options: FuzzOptions, target: FuzzTarget, seed: number, signal: AbortSignal): Promise<void> {
  const { peer } = target;
  const { frames, seconds, json, out = `fuzz-${seed}.ndjson` } = options;
  const recorder = new Recorder(systemClock, peer.side);
  peer.onPassed = recorder.add;
  process.stderr.write(`seed ${seed}\n`);
  let reported = 0;
  const result = await fuzz({
    ...{ clock: systemClock, peer, signal, ms: seconds === undefined ? undefined : 1000 * seconds },
    frames: frames ?? (seconds === undefined ? FRAMES : Number.POSITIVE_INFINITY),
    inputs: () => new Inputs(seededRandom(seed), peer.side, peer.words),
    minimise: { ms: 1000 * options.minimiseSeconds, tries: MOST_TRIES },
    onBegin: () => recorder.begin(),
    onProgress: (sent) => {
      if (sent - reported < PROGRESS_EVERY) return;
      reported = sent;
      process.stderr.write(`${sent} frames\n`);
    },
    onFinding: (finding) => noteLine(`${findingWords(finding)}; minimising the finding`),
  });
  const { outcome } = result;
  if (outcome.kind === "finding")
    writeFileSync(
      out,
      recorder.capture(outcome.inputs, `${findingWords(outcome.finding)}: ${target.name}, seed ${seed}`),
    );
  const about = { seed, out, target, sightings: peer.sightings };
  for (const line of json ? [JSON.stringify(jsonOf(result, about))] : fuzzSummary(result, about)) printLine(line);
  process.exitCode = statusOf(result, frames !== undefined);
}

function statusOf({ outcome }: Fuzzed, wantsFrames: boolean): number {
  switch (outcome.kind) {
    case "answers":
      return 0;
    case "finding":
      return FOUND;
    case "silent":
      return TIMED_OUT;
    case "out_of_time":
      return wantsFrames ? TIMED_OUT : 0;
    case "stopped":
      return INTERRUPTED;
  }
}

/** Tries to reproduce a finding, to prove a fix. */
async function tryAgain({ json }: FuzzOptions, { peer }: FuzzTarget, file: string): Promise<void> {
  const read = inputsOf(textOf(file), peer.side);
  if (read.kind === "problems") throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
  const health = await repeat(peer, read.inputs);
  const stated = json ? JSON.stringify(findingJson(health)) : findingWords(health);
  printLine(stated);
  process.exitCode = health.kind === "answers" ? 0 : health.kind === "silent" ? TIMED_OUT : FOUND;
}

type Stated = Health | { readonly kind: "silent" };
type Found = Extract<FuzzOutcome, { kind: "finding" }>;

interface About {
  readonly seed: number;
  /** Path of the capture. */
  readonly out: string;
  readonly target: Pick<FuzzTarget, "peer" | "words">;
  readonly sightings: Sightings;
}

/** The result of a check, in words that begin a sentence. */
function findingWords(stated: Stated): string {
  switch (stated.kind) {
    case "answers":
      return "It answers";
    case "silent":
      return "No answer";
    case "hangs":
      return "It no longer answers";
    case "rebooted":
      return "It has rebooted by itself";
    case "gone":
      return `It is not reachable (${stated.reason})`;
  }
}

/** The result of a check, for programs. */
function findingJson(stated: Stated): object {
  return stated.kind === "gone" ? { result: stated.kind, reason: stated.reason } : { result: stated.kind };
}

/** The complete result, line by line. */
function fuzzSummary(fuzzed: Fuzzed, about: About): string[] {
  const { sent, outcome } = fuzzed;
  const { closed, recovered } = about.sightings;
  const seen = [
    ...(closed > 0 ? [`Its line was closed ${timesOf(closed)}, and it was reachable again each time.`] : []),
    ...(recovered > 0 ? [`It was silent ${timesOf(recovered)}, and answered after the line was opened again.`] : []),
  ];
  switch (outcome.kind) {
    case "answers":
      return [`It answered after ${sent} frames.`, ...seen];
    case "silent":
      return [`No answer: ${about.target.peer.ended ?? "nothing was received"}.`];
    case "out_of_time":
      return [`The time is over. It answered after ${sent} frames.`, ...seen];
    case "stopped":
      return [`Interrupted. It answered after ${sent} frames.`, ...seen];
    case "finding":
      return [`${findingWords(outcome.finding)} after ${sent} frames.`, ...seen, ...narrowedWords(outcome, about)];
  }
}

/** The complete result, for programs. */
function jsonOf({ sent, outcome }: Fuzzed, { seed, out, target, sightings }: About): object {
  const common = { seed, sent, ...sightings, ended: target.peer.ended };
  if (outcome.kind !== "finding") return { result: outcome.kind, ...common };
  const { finding, inputs, narrowed } = outcome;
  const repeat = commandsOf(target, out)[0];
  return {
    ...findingJson(finding),
    ...common,
    inputs: inputs.length,
    bytes: bytesOf(inputs),
    narrowed,
    capture: out,
    repeat,
  };
}

function narrowedWords({ inputs, narrowed }: Found, { out, target }: About): string[] {
  const count = inputs.length === 1 ? "1 frame" : `${inputs.length} frames`;
  const what = `${out}: ${count}, ${bytesOf(inputs)} bytes`;
  const why = {
    minimised: "these are enough after a restart.",
    cut_short: "the fewest that were found before the time for minimising was over.",
    needs_reset:
      "everything that was sent since it last answered. With --reset, a command that resets the board, the finding is minimised.",
    not_again: "everything that was sent since it last answered. The same frames had no effect after a restart.",
  }[narrowed];
  return [`${what}: ${why}`, ...commandsOf(target, out).map((command) => `  ${command}`)];
}

/** The commands that repeat the finding and show it. */
function commandsOf({ words }: About["target"], out: string): [string, string] {
  return [`porchlight-sim fuzz --repeat ${out} ${words}`, `porchlight-sim decode ${out}`];
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function bytesOf(inputs: readonly Uint8Array[]): number {
  return inputs.reduce((sum, { length }) => sum + length, 0);
}
