/**
 * Detects messages that may be answers from before a newer message of the same property. A message does not name the question that it
 * answers, so that a late answer looks like a new report. Only decides; its caller asks again.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { type Value, valuesEqual } from "@porchlight/shared/model";

interface Question {
  readonly askedAt: number;
  /** The property's value when the question was sent; undefined when it was not known. */
  readonly before: Value | undefined;
  /** Number of questions that the same doubt has already caused. */
  readonly depth: number;
  /** A message with another value has come since. */
  isOvertaken: boolean;
}

/**
 * `doubtful`: the message is likely older than the last received value; `uncertain`: it is likely new. In both cases the caller asks
 * again. `answer`: it settles such a doubt, and repeats the known value.
 */
export type AnswerVerdict =
  | { readonly kind: "news" }
  | { readonly kind: "answer" }
  | { readonly kind: "doubtful" | "uncertain"; readonly depth: number };

/** Maximum delay of an answer, ms. */
const LATEST_MS = 10_000;
/** Maximum delay of an answer when the value before the question is not known, ms: then most messages are new reports. */
const LATEST_UNKNOWN_MS = 2000;
const MOST_AGAIN = 3;
const NEWS: AnswerVerdict = { kind: "news" };

export class OpenQuestions {
  readonly #clock: Clock;
  /** By the property's key. */
  readonly #open = new Map<string, Question[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A question is sent. @param depth from the verdict that caused it; absent: no verdict did */
  ask(key: string, before: Value | undefined, depth = 0): void {
    const askedAt = this.#clock.monotonic();
    this.#open.set(key, [...this.#of(key), { ...{ askedAt, before, depth }, isOvertaken: false }]);
  }

  /** A message has come. @param now the last received value */
  judge(key: string, value: Value, now: Value | undefined): AnswerVerdict {
    const open = this.#of(key);
    const isSame = now !== undefined && valuesEqual(now, value);
    if (isSame) {
      const answered = open.find(({ depth }) => depth > 0) ?? open[0];
      this.#set(
        key,
        open.filter((question) => question !== answered),
      );
      return answered && answered.depth > 0 ? { kind: "answer" } : NEWS;
    }
    const doubt = open.find((question) => mayAnswer(question, value));
    this.#set(
      key,
      open.filter((question) => question !== doubt),
    );
    const depth = (doubt?.depth ?? 0) + 1;
    if (doubt && depth <= MOST_AGAIN) return { kind: doubt.before === undefined ? "uncertain" : "doubtful", depth };
    for (const question of open) question.isOvertaken = true;
    return NEWS;
  }

  forget(key?: string): void {
    if (key === undefined) this.#open.clear();
    else this.#open.delete(key);
  }

  #of(key: string): Question[] {
    const now = this.#clock.monotonic();
    return (this.#open.get(key) ?? []).filter(
      ({ askedAt, before }) => now - askedAt < (before === undefined ? LATEST_UNKNOWN_MS : LATEST_MS),
    );
  }

  #set(key: string, open: Question[]): void {
    if (open.length > 0) this.#open.set(key, open);
    else this.#open.delete(key);
  }
}

/** A late answer has the value from before the message that overtook it. */
function mayAnswer({ isOvertaken, before }: Question, value: Value): boolean {
  return isOvertaken && (before === undefined || valuesEqual(before, value));
}
