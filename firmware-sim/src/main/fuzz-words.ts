/** Formats the results of `fuzz` for people and for programs. */
import type { Fuzzed, FuzzOutcome } from "../lab/fuzz/fuzz.ts";
import type { Health, Sightings } from "../lab/fuzz/peer.ts";
import type { FuzzTarget } from "./fuzz-target.ts";

type Said = Health | { readonly kind: "silent" };
type Found = Extract<FuzzOutcome, { kind: "finding" }>;

export interface About {
  readonly seed: number;
  /** Path of the capture. */
  readonly out: string;
  readonly target: Pick<FuzzTarget, "peer" | "words">;
  readonly sightings: Sightings;
}

/** The result of a check, in words that begin a sentence. */
export function findingWords(said: Said): string {
  switch (said.kind) {
    case "answers":
      return "It answers";
    case "silent":
      return "No answer";
    case "hangs":
      return "It no longer answers";
    case "rebooted":
      return "It has rebooted by itself";
    case "gone":
      return `It is not reachable (${said.reason})`;
  }
}

/** The result of a check, for programs. */
export function findingJson(said: Said): object {
  return said.kind === "gone" ? { result: said.kind, reason: said.reason } : { result: said.kind };
}

/** The complete result, line by line. */
export function fuzzSummary(fuzzed: Fuzzed, about: About): string[] {
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
export function jsonOf({ sent, outcome }: Fuzzed, { seed, out, target, sightings }: About): object {
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
