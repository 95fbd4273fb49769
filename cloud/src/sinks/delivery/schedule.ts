/** What follows an answer of a receiver: a pure decision. */
import type { Outcome } from "../../webhooks/index.ts";

const SECOND = 1_000;
/** The first wait, and the longest, ms. */
const FIRST = 5 * SECOND;
const LONGEST = 300 * SECOND;
/** A wait is up to this part longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.1;
/** What a receiver may ask for at most, ms. */
const MOST_RETRY_AFTER = 3_600 * SECOND;

/** What the answer to some lines means for them. */
export type LinesVerdict =
  | { readonly kind: "taken" }
  /** Some of the lines are not written and never will be; the receiver has taken the others. */
  | { readonly kind: "partly"; readonly refused: number }
  /** They are too many or too large together, or one of them is refused for what it is. */
  | { readonly kind: "refused" }
  /** The receiver takes nothing now, or not from us. */
  | { readonly kind: "failed" };

export function verdictOn(outcome: Outcome, body: string): LinesVerdict {
  if (outcome.kind === "failed") return { kind: "failed" };
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: "taken" };
  if (status === 400 || status === 413 || status === 422) {
    // The words of InfluxDB 1, 2 and 3, which writes all lines but those.
    if (!/partial write/i.test(body)) return { kind: "refused" };
    const [, dropped] = /\bdropped=(\d{1,9})/.exec(body) ?? [];
    return { kind: "partly", refused: Math.max(1, Number(dropped ?? 1)) };
  }
  return { kind: "failed" };
}

/**
 * Until the next attempt, ms.
 * @param attempts that have failed one after another
 * @param fraction of [0, 1)
 */
export function waitAfter(attempts: number, outcome: Outcome, fraction: number): number {
  const wait = Math.min(LONGEST, FIRST * 2 ** Math.min(attempts - 1, 20));
  const jittered = wait * (1 - JITTER + 2 * JITTER * fraction);
  return Math.round(Math.max(jittered, Math.min(askedFor(outcome), MOST_RETRY_AFTER)));
}

function askedFor(outcome: Outcome): number {
  if (outcome.kind !== "answered" || (outcome.status !== 429 && outcome.status !== 503)) return 0;
  return outcome.retryAfter ?? 0;
}

/** Characters of an answer that are told. */
const TOLD = 300;

/** Why it was no success, for a person. */
export function failureText(outcome: Outcome, body: string): string {
  if (outcome.kind === "failed") return outcome.error;
  const { status } = outcome;
  if (status >= 300 && status < 400) return `the receiver answered ${status}: redirects are not followed`;
  const said = body.trim().slice(0, TOLD);
  return said === "" ? `the receiver answered ${status}` : `the receiver answered ${status}: ${said}`;
}
