/** Fuzzes the other side: sends inputs in batches, checks after each whether it still answers, and minimises the inputs of a finding. */
import { type Clock, pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import { encodeFrame, FrameReader, HUB_FRAME_LIMIT } from "@porchlight/shared/wire";
import type { Sender } from "../capture/capture.ts";
import { bytes, END, ESC } from "../conform/bytes.ts";
import { bodyOf, type Fields, Honest, misshapen, type Vocabulary } from "./inputs.ts";
import type { Finding, Health, Peer } from "./peer.ts";

export interface FuzzOptions {
  readonly clock: Clock;
  readonly peer: Peer;
  /** Called once the other side has greeted, because inputs use its names. */
  readonly inputs: () => Pick<Inputs, "next">;
  /** Number of inputs to send. */
  readonly frames: number;
  /** Duration, ms; unlimited when omitted. */
  readonly ms?: number | undefined;
  /** Limits on minimising a finding: time, ms, and number of tries. */
  readonly minimise: { readonly ms: number; readonly tries: number };
  readonly signal?: AbortSignal | undefined;
  /** Called when a batch or a try begins: earlier traffic is no longer of interest. */
  readonly onBegin?: (() => void) | undefined;
  /** Called after every check with the number of inputs sent. */
  readonly onProgress?: ((sent: number) => void) | undefined;
  /** Called with a finding before it is minimised. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
}

/**
 * Result of minimising. `needs_reset`: the other side does not recover without a reset; `not_again`: the same inputs did not reproduce
 * the finding.
 */
type Narrowed = "minimised" | "cut_short" | "needs_reset" | "not_again";

export type FuzzOutcome =
  | { readonly kind: "answers" }
  /** No answer, not even at the beginning. */
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
  /** Number of inputs sent before the last check. */
  readonly sent: number;
  readonly outcome: FuzzOutcome;
}

/** Number of inputs between two checks. */
const BATCH = 50;
/** Inputs before a finding that are kept because they may have contributed to it. */
const KEPT = 800;

/** Runs until there is a finding, all inputs are sent, or the signal aborts. The caller closes the peer. */
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

/** Finds as few inputs and bytes as possible that reproduce the finding, each try on a restarted peer. */
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
  // The last batch is usually enough; otherwise add earlier inputs.
  let doing = batch;
  for (let count = batch.length; !(await does(doing)); count *= 2) {
    if (!mayTry()) return { inputs: batch, narrowed: "cut_short" };
    if (count >= kept.length) return { inputs: batch, narrowed: "not_again" };
    doing = kept.slice(-count * 2);
  }
  const frames = await minimise(doing, (left) => does(left), mayTry);
  const inputs = await minimiseBytes(frames, (left) => does(left), mayTry);
  if (!mayTry()) return { inputs, narrowed: "cut_short" };
  // Once more with full checks, so that the saved capture holds exactly this try.
  if (await does(inputs, true)) return { inputs, narrowed: "minimised" };
  return signal?.aborted ? { inputs, narrowed: "cut_short" } : { inputs: doing, narrowed: "not_again" };
}

/**
 * Whether the remaining items still reproduce the finding. The minimiser is delta debugging (Zeller and Hildebrandt, 2002), over frames
 * and then over the bytes of each.
 */
type Does<T> = (left: readonly T[]) => Promise<boolean>;

/** Larger than any frame of a fuzzer, bytes. */
const LONGEST = 0x10000;

/**
 * Removes the items of a list that are not needed.
 * @param mayTry called before every try; when it returns false, the smallest list so far is the result
 */
export async function minimise<T>(list: readonly T[], does: Does<T>, mayTry: () => boolean): Promise<readonly T[]> {
  let smallest = list;
  let pieces = 2;
  while (smallest.length > 1) {
    const size = Math.ceil(smallest.length / pieces);
    const smaller = await firstSmaller(smallest, size, does, mayTry);
    if (smaller === "no more") return smallest;
    if (smaller !== undefined) {
      smallest = smaller;
      pieces = Math.max(2, Math.min(pieces - 1, smallest.length));
    } else if (size === 1) return smallest;
    else pieces = Math.min(smallest.length, pieces * 2);
  }
  return smallest;
}

/**
 * The list without one of its pieces, if the rest still reproduces the finding. Pieces at the beginning are removed first, because the
 * cause is usually near the end.
 */
async function firstSmaller<T>(list: readonly T[], size: number, does: Does<T>, mayTry: () => boolean) {
  for (let from = 0; from < list.length; from += size) {
    const rest = list.toSpliced(from, size);
    if (rest.length === 0) continue;
    if (!mayTry()) return "no more";
    if (await does(rest)) return rest;
  }
  return undefined;
}

/**
 * Removes bytes from each input. In a good frame it removes bytes of the body and recomputes the CRC, because otherwise nothing would
 * pass the CRC check; elsewhere it removes bytes of the line.
 */
export async function minimiseBytes(
  inputs: readonly Uint8Array[],
  does: Does<Uint8Array>,
  mayTry: () => boolean,
): Promise<readonly Uint8Array[]> {
  let smallest = inputs;
  for (const [at, input] of inputs.entries()) {
    const body = bodyIn(input);
    const made = (left: readonly number[]) => (body ? encodeFrame(Uint8Array.from(left)) : Uint8Array.from(left));
    const left = await minimise([...(body ?? input)], (bytes) => does(smallest.with(at, made(bytes))), mayTry);
    smallest = smallest.with(at, made(left));
  }
  return smallest;
}

/** The body of bytes that form exactly one good frame. */
function bodyIn(input: Uint8Array): Uint8Array | undefined {
  const [event, ...more] = new FrameReader(LONGEST).push(input);
  if (event?.kind !== "frame" || more.length > 0) return undefined;
  return Buffer.compare(encodeFrame(event.body), input) === 0 ? event.body : undefined;
}

/** Number of frames that may be repeated. */
const REMEMBERED = 16;
const LONGEST_NOISE = 64;

/**
 * The endless input of a fuzzer: honest messages, misshapen messages, damage on the line, repetitions, a handshake out of order, noise.
 * The same seed yields the same inputs, regardless of the answers.
 */
export class Inputs {
  readonly #random: Random;
  readonly #honest: Honest;
  #sent: Uint8Array[] = [];

  /** @param side the side to play @param words the names to use */
  constructor(random: Random, side: Sender, words: Vocabulary) {
    this.#random = random;
    this.#honest = new Honest(random, side, words);
  }

  /** The next bytes: usually a frame, not always a complete one. */
  next(): Uint8Array {
    const bytes = this.#bytes(randomInteger(this.#random, 100));
    this.#sent = [...this.#sent.slice(1 - REMEMBERED), bytes];
    return bytes;
  }

  #bytes(roll: number): Uint8Array {
    const random = this.#random;
    if (roll < 35) return this.#frame(this.#honest.next());
    if (roll < 62) return encodeFrame(misshapen(random, this.#honest.next()));
    if (roll < 78) return damaged(random, this.#frame(this.#honest.next()));
    if (roll < 86) return this.#sent[randomInteger(random, this.#sent.length)] ?? this.#frame(this.#honest.next());
    if (roll < 94) return this.#frame(this.#honest.outOfTurn());
    const noise = random.bytes(1 + randomInteger(random, LONGEST_NOISE));
    return pick(random, [noise, encodeFrame(noise)]);
  }

  #frame(fields: Fields): Uint8Array {
    return encodeFrame(bodyOf(fields));
  }
}

/** Lengths of bodies at and beyond the limits. */
const TOO_LONG = [126, 127, 254, 255, 256, 1023, HUB_FRAME_LIMIT - 2, HUB_FRAME_LIMIT - 1, 5000] as const;

/** A frame damaged on its way: cut, joined, flipped or too long (F5 to F9 of the protocol). */
function damaged(random: Random, frame: Uint8Array): Uint8Array {
  const at = 1 + randomInteger(random, Math.max(1, frame.length - 2));
  const [before, after] = [frame.slice(0, at), frame.slice(at)];
  const bit = 1 << randomInteger(random, 8);
  return pick<() => Uint8Array>(random, [
    () => frame.map((byte, each) => (each === at ? byte ^ bit : byte)),
    () => before,
    () => after,
    () => bytes(before, END),
    () => bytes(before, END, after),
    () => bytes(before, ESC, END, after),
    () => bytes(before, ESC, after),
    () => bytes(frame.slice(0, -1), ESC),
    () => bytes(frame, frame.slice(1)),
    () => bytes(new Uint8Array(40).fill(END), frame),
    () => bytes(END, new Uint8Array(40).fill(ESC), END),
    () => encodeFrame(new Uint8Array(pick(random, TOO_LONG)).fill(pick(random, [0, 0x61, 0x81, END]))),
  ])();
}

/** Sends inputs to a peer that was just greeted, restarted where possible, and checks it; `silent`: no answer at the start. */
export async function repeat(peer: Peer, inputs: readonly Uint8Array[]): Promise<Health | { readonly kind: "silent" }> {
  const isThere = await (peer.renew ? peer.renew() : peer.meet());
  if (!isThere) return { kind: "silent" };
  for (const input of inputs) await peer.send(input);
  return peer.look();
}
