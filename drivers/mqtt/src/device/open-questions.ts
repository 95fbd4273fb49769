/**
 * Which messages may be answers that were sampled before a newer message of the same property. Messages of a broker name no question, so
 * that an answer that comes late looks like news. Decides only; its user asks again.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { type Value, valuesEqual } from "@porchlight/shared/model";

interface Question {
  readonly askedAt: number;
  /** What the property was when the question left; undefined when that was not known. */
  readonly before: Value | undefined;
  /** How often was asked again because of the same doubt. */
  readonly depth: number;
  /** Something else was heard since. */
  isOvertaken: boolean;
}

/**
 * `doubtful`: it is likely older than what was heard last; `uncertain`: it is likely news. Both: ask again. `answer`: it settles such a
 * doubt, and says what is known.
 */
export type AnswerVerdict =
  | { readonly kind: "news" }
  | { readonly kind: "answer" }
  | { readonly kind: "doubtful" | "uncertain"; readonly depth: number };

/** How late an answer may come, ms. */
const LATEST_MS = 10_000;
/** The same where it is not known what it would say, ms: then most messages are news. */
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

  /** A question leaves. @param depth that of the verdict that is the reason; left out: there is none */
  ask(key: string, before: Value | undefined, depth = 0): void {
    const askedAt = this.#clock.monotonic();
    this.#open.set(key, [...this.#of(key), { ...{ askedAt, before, depth }, isOvertaken: false }]);
  }

  /** A message has come. @param now what was heard last */
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

/** A late answer says what was so before what has overtaken it. */
function mayAnswer({ isOvertaken, before }: Question, value: Value): boolean {
  return isOvertaken && (before === undefined || valuesEqual(before, value));
}
