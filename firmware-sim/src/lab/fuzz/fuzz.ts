/** Fuzzes: inputs in batches, a look after each whether the other side answers still, and of a finding as little as still does it. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Inputs } from "./inputs.ts";
import { minimise, minimiseBytes } from "./minimise.ts";
import type { Finding, Peer } from "./peer.ts";

export interface FuzzOptions {
  readonly clock: Clock;
  readonly peer: Peer;
  /** Made when the other side has been met, and has said what there is to name. */
  readonly inputs: () => Pick<Inputs, "next">;
  /** How many to say. */
  readonly frames: number;
  /** How long to go on, ms; without an end when left out. */
  readonly ms?: number | undefined;
  /** How long, ms, and how often it may be tried what a finding needs. */
  readonly minimise: { readonly ms: number; readonly tries: number };
  readonly signal?: AbortSignal | undefined;
  /** A batch begins, or a try: what passed before it is of no interest any more. */
  readonly onBegin?: (() => void) | undefined;
  /** Told after every look how many inputs have been said. */
  readonly onProgress?: ((sent: number) => void) | undefined;
  /** There is a finding; it is narrowed down now. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
}

/** Why it is told as it is: `needs_reset`: it does not come back by itself; `not_again`: the same inputs did not do it another time. */
type Narrowed = "minimised" | "cut_short" | "needs_reset" | "not_again";

export type FuzzOutcome =
  | { readonly kind: "answers" }
  /** Not even at the beginning. */
  | { readonly kind: "silent" }
  | { readonly kind: "out_of_time" }
  | { readonly kind: "stopped" }
  | {
      readonly kind: "finding";
      readonly finding: Finding;
      readonly inputs: readonly Uint8Array[];
      readonly narrowed: Narrowed;
    };

export interface Fuzzed {
  /** Inputs said before the last look. */
  readonly sent: number;
  readonly outcome: FuzzOutcome;
}

/** Inputs between two looks. */
const BATCH = 50;
/** Inputs before a finding that may have a part in it. */
const KEPT = 800;

/** Goes on until there is a finding, all has been said, or it is told to stop. The peer stays the caller's to close. */
export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const { clock, peer, frames, ms, signal, onBegin, onProgress } = options;
  if (!(await peer.meet())) return { sent: 0, outcome: { kind: signal?.aborted ? "stopped" : "silent" } };
  const end = clock.monotonic() + (ms ?? Number.POSITIVE_INFINITY);
  const inputs = options.inputs();
  let kept: Uint8Array[] = [];
  for (let sent = 0; sent < frames; ) {
    if (clock.monotonic() >= end) return { sent, outcome: { kind: "out_of_time" } };
    onBegin?.();
    const batch = Array.from({ length: Math.min(BATCH, frames - sent) }, () => inputs.next());
    for (const input of batch) await peer.send(input);
    const health = await peer.look();
    if (signal?.aborted) return { sent, outcome: { kind: "stopped" } };
    sent += batch.length;
    kept = [...kept, ...batch].slice(-KEPT);
    onProgress?.(sent);
    if (health.kind === "answers") continue;
    options.onFinding?.(health);
    return { sent, outcome: { kind: "finding", finding: health, ...(await narrow(options, health, kept, batch)) } };
  }
  return { sent: frames, outcome: { kind: "answers" } };
}

/** As few inputs as still do it, and as few bytes, each time to one that has been started anew. */
async function narrow(
  { clock, peer, minimise: limits, signal, onBegin }: FuzzOptions,
  finding: Finding,
  kept: readonly Uint8Array[],
  batch: readonly Uint8Array[],
): Promise<{ readonly inputs: readonly Uint8Array[]; readonly narrowed: Narrowed }> {
  if (!(await peer.renew?.())) return { inputs: batch, narrowed: "needs_reset" };
  const end = clock.monotonic() + limits.ms;
  let tries = 0;
  const mayTry = () => tries < limits.tries && clock.monotonic() < end && !signal?.aborted;
  const does = async (inputs: readonly Uint8Array[], looks = finding.kind !== "hangs") => {
    tries += 1;
    onBegin?.();
    if (!(await peer.renew?.())) return false;
    for (const input of inputs) await peer.send(input);
    const isSo = looks ? (await peer.look()).kind === finding.kind : await peer.isSilent();
    return isSo && !signal?.aborted;
  };
  // Mostly what came last does it; else what came before has a part.
  let doing = batch;
  for (let count = batch.length; !(await does(doing)); count *= 2) {
    if (!mayTry()) return { inputs: batch, narrowed: "cut_short" };
    if (count >= kept.length) return { inputs: batch, narrowed: "not_again" };
    doing = kept.slice(-count * 2);
  }
  const frames = await minimise(doing, (left) => does(left), mayTry);
  const inputs = await minimiseBytes(frames, (left) => does(left), mayTry);
  if (!mayTry()) return { inputs, narrowed: "cut_short" };
  // Once more with every chance, so that what passed to the end is what is written down.
  if (await does(inputs, true)) return { inputs, narrowed: "minimised" };
  return signal?.aborted ? { inputs, narrowed: "cut_short" } : { inputs: doing, narrowed: "not_again" };
}
