/** Plays one side of a capture: sends that side's messages, waits for the other side's, and reports the differences. */
import { type Clock, type Random, randomInteger } from "@porchlight/shared/kernel";
import { type ByteLink, encodeFrame, encodeMessage, isRequest, type Message } from "@porchlight/shared/wire";
import type { Sender } from "./capture.ts";
import type { Damage } from "./cutter.ts";
import { inWords } from "./decode.ts";
import { OtherSide } from "./other-side.ts";
import { type CaptureStep, isAboutTheSame, meaningOf, slotOf } from "./script.ts";

export interface ReplayOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly link: ByteLink;
  readonly me: Sender;
  readonly script: readonly CaptureStep[];
  /** How long to wait for a frame, ms; the first one gets the time that a user needs to start the other side. */
  readonly patience: number;
  /** Factor of the captured speed; Infinity leaves no gaps. */
  readonly speed: number;
  readonly onEvent?: ((event: ReplayEvent) => void) | undefined;
}

export type ReplayEvent =
  | { readonly kind: "said" | "heard" | "waits"; readonly message: Message | undefined }
  /** A message arrived in place of the expected one. */
  | { readonly kind: "differs"; readonly expected: Message; readonly came: Message }
  /** A message arrived that the capture does not contain. */
  | { readonly kind: "besides"; readonly came: Message }
  | { readonly kind: "damaged"; readonly damage: Damage }
  /** The expected message never arrived. @param reason why the line is down, when it is */
  | { readonly kind: "never"; readonly expected: Message; readonly reason: string | undefined };

export interface Replayed {
  /** Number of differences of the other side. */
  readonly differences: number;
  /** The message that never arrived and ended the replay. */
  readonly never: Message | undefined;
}

/** Minimum wait for the first frame, ms. */
const START = 60_000;
/** Interval of repetitions of an unanswered request, ms. */
const AGAIN = 1000;
/** How long to observe the other side after the last step, ms. */
const LINGER = 500;
/** A longer wait is reported, so that the user can do what the capture requires, ms. */
const SILENT = 1500;

export class Replay {
  readonly #options: ReplayOptions;
  readonly #other: OtherSide;
  /** For each meaning, the last step that expects it as a request. */
  readonly #expected = new Map<string, number>();
  /** For each meaning of a request, the answer in the capture. */
  readonly #answers = new Map<string, Message>();
  readonly #boots = new Map<number, number>();
  /** By step, the seq that the other side's request had in this run. */
  readonly #cameAs = new Map<number, number>();
  readonly #hasHello: boolean;
  #differences = 0;
  #hasHeard = false;
  #lastSent: { readonly step: CaptureStep; readonly frame: Uint8Array } | undefined;
  #at: number;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#other = new OtherSide({
      ...options,
      onDamage: (damage) => {
        this.#differences += 1;
        this.#tell({ kind: "damaged", damage });
      },
    });
    this.#at = options.clock.monotonic();
    this.#hasHello = options.script.some(({ kind, message }) => kind === "hear" && message?.type === "HELLO");
    for (const [at, { kind, message, answers }] of options.script.entries()) {
      const asked = answers === undefined ? undefined : options.script[answers]?.message;
      if (message && kind === "hear" && !asked) this.#expected.set(meaningOf(message), at);
      if (message && kind === "say" && asked) this.#answers.set(meaningOf(asked), message);
    }
  }

  /** Runs the script once. The line stays open. */
  async run(): Promise<Replayed> {
    for (const [at, step] of this.#options.script.entries()) {
      if (step.kind === "say") await this.#say(at, step);
      else if (!(await this.#hear(at, step))) return { differences: this.#differences, never: step.message };
      this.#at = this.#options.clock.monotonic();
    }
    await this.#other.wait(LINGER);
    this.#sortOut(this.#options.script.length, undefined);
    return { differences: this.#differences, never: undefined };
  }

  async #say(at: number, step: CaptureStep): Promise<void> {
    const before = this.#options.script[at - 1];
    const due = this.#at + (before ? Math.max(0, step.t - before.t) / this.#options.speed : 0);
    for (let left = due - this.#options.clock.monotonic(); left > 0; left = due - this.#options.clock.monotonic())
      await this.#other.wait(left);
    const frame = this.#frame(step);
    this.#lastSent = { step, frame };
    if (step.message && isRequest(step.message.type)) this.#other.forget(slotOf(step.message));
    this.#tell({ kind: "said", message: step.message });
    await this.#other.say(frame, step.message && this.#answered(step));
  }

  /** Waits for the message of a step; returns whether it, or another one in its place, arrived. */
  async #hear(at: number, step: CaptureStep): Promise<boolean> {
    const { clock, patience } = this.#options;
    const { message } = step;
    if (!message) return true;
    const from = clock.monotonic();
    const limit = this.#hasHeard ? patience : Math.max(START, patience);
    let isReported = false;
    for (let again = from + AGAIN; ; ) {
      if (this.#take(at, step, message)) break;
      const now = clock.monotonic();
      if (now >= from + limit || this.#other.closed !== undefined) {
        this.#tell({ kind: "never", expected: message, reason: this.#other.closed });
        return false;
      }
      if (now >= again) {
        await this.#nudge(step);
        again = now + AGAIN;
      }
      if (now >= from + SILENT && !isReported) {
        isReported = true;
        this.#tell({ kind: "waits", message });
      }
      await this.#other.wait(Math.max(1, Math.min(again, from + limit) - now));
    }
    this.#hasHeard = true;
    return true;
  }

  /** Takes the expected message, or the one in its place, from the received ones. */
  #take(at: number, step: CaptureStep, expected: Message): boolean {
    const asked = step.answers === undefined ? undefined : this.#options.script[step.answers]?.message;
    if (!asked) {
      this.#sortOut(at, expected);
      const meaning = meaningOf(expected);
      const came =
        this.#other.takeRequest((message) => meaningOf(message) === meaning) ??
        this.#other.takeRequest((message) => isAboutTheSame(message, expected) && !this.#isExpected(message, at));
      return came !== undefined && this.#compare(at, expected, came);
    }
    const came = this.#other.takeAnswer(slotOf(asked));
    return came !== undefined && this.#compare(at, expected, came);
  }

  #compare(at: number, expected: Message, came: Message): boolean {
    this.#cameAs.set(at, came.seq);
    if (meaningOf(expected) === meaningOf(came)) this.#tell({ kind: "heard", message: came });
    else {
      this.#differences += 1;
      this.#tell({ kind: "differs", expected, came });
    }
    return true;
  }

  /** Reports extra messages: those that no step from here on expects, and that do not take the place of `expected`. */
  #sortOut(at: number, expected: Message | undefined): void {
    for (;;) {
      const came = this.#other.takeRequest(
        (message) => !this.#isExpected(message, at) && !(expected && isAboutTheSame(message, expected)),
      );
      if (!came) return;
      if (!this.#isMakingSure(came)) {
        this.#differences += 1;
        this.#tell({ kind: "besides", came });
      }
      const isReported = came.type === "REPORT" || came.type === "CHANGED";
      const answer = this.#answers.get(meaningOf(came)) ?? (isReported ? { type: "ACK", seq: 0 } : undefined);
      if (answer) void this.#other.say(encodeFrame(encodeMessage({ ...answer, seq: came.seq })), slotOf(came));
    }
  }

  #isExpected(message: Message, at: number): boolean {
    return (this.#expected.get(meaningOf(message)) ?? -1) >= at;
  }

  /** A node repeats HELLO to make sure (S1, S3), and a capture that starts later contains none: this is no difference. */
  #isMakingSure(came: Message): boolean {
    if (came.type !== "HELLO") return false;
    return this.#expected.has(meaningOf(came)) || !this.#hasHello;
  }

  /** The slot of the other side's request in this run that a step of ours answers. */
  #answered({ answers, message }: CaptureStep): string | undefined {
    const seq = answers === undefined ? undefined : this.#cameAs.get(answers);
    if (seq === undefined || !message) return undefined;
    return slotOf({ ...message, seq });
  }

  /** The bytes of a step for this run: as captured, except for its seq and boot. */
  #frame({ answers, message, bytes }: CaptureStep): Uint8Array {
    if (!message) return bytes;
    if (message.type === "HELLO") {
      const info = { ...message.info, boot: this.#boot(message.info.boot) };
      return encodeFrame(encodeMessage({ ...message, info }));
    }
    const unasked = message.type === "HELLO_ACK" ? this.#other.lastHello : undefined;
    const seq = answers === undefined ? unasked : this.#cameAs.get(answers);
    if (seq === undefined || seq === message.seq) return bytes;
    return encodeFrame(encodeMessage({ ...message, seq }));
  }

  /** A boot other than the captured one, because a hub remembers reports by boot; 0 stays 0. */
  #boot(captured: number): number {
    const known = this.#boots.get(captured);
    if (captured === 0 || known !== undefined) return known ?? 0;
    const fresh = 1 + randomInteger(this.#options.random, 0xfffffffe);
    this.#boots.set(captured, fresh);
    return fresh;
  }

  /** Repeats an unanswered request, as the played side would. */
  async #nudge(step: CaptureStep): Promise<void> {
    const isWho = this.#options.me === "hub" && step.message?.type === "HELLO";
    if (isWho) await this.#other.say(encodeFrame(encodeMessage({ type: "WHO", seq: 0 })), undefined);
    const stated = this.#lastSent;
    if (stated && step.answers !== undefined && stated.step === this.#options.script[step.answers])
      await this.#other.say(stated.frame, undefined);
  }

  #tell(event: ReplayEvent): void {
    this.#options.onEvent?.(event);
  }
}

/** Formats the events of a replay, as lines for people and as NDJSON. */
const words = (message: Message | undefined) => (message ? inWords(message) : "bytes as they were captured");

/** One event as lines of text; a problem begins with `!`. */
export function eventLines(event: ReplayEvent): string[] {
  switch (event.kind) {
    case "said":
      return [`  said      ${words(event.message)}`];
    case "heard":
      return [`  heard     ${words(event.message)}`];
    case "waits":
      return [`  waits for ${words(event.message)}`];
    case "differs":
      return [`! expected  ${words(event.expected)}`, `  came      ${words(event.came)}`];
    case "besides":
      return [`! besides   ${words(event.came)}`];
    case "damaged":
      return [`! damaged   ${event.damage.rule}: ${event.damage.what}`];
    case "never":
      return [`! never     ${words(event.expected)}${event.reason === undefined ? "" : ` (${event.reason})`}`];
  }
}

/** One event as a line of NDJSON. */
export function eventJson(event: ReplayEvent): string {
  const stated = "message" in event ? event.message : undefined;
  return JSON.stringify({ event: event.kind, ...event, kind: undefined, words: stated && inWords(stated) });
}
