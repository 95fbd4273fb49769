/** Posts lines, gzipped: one attempt, or as many as it takes to find the lines that a receiver refuses for what they are. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Bisection } from "@porchlight/shared/kernel";
import type { Outcome, Sent, SentMessage } from "../../webhooks/index.ts";

/** Sends one message to a receiver; never fails, however it ends. */
export interface Posts {
  /** @throws the signal's reason */
  send(url: string, message: SentMessage, signal: AbortSignal): Promise<Sent>;
}

export interface Receiver {
  readonly url: string;
  /** As it is stored; undefined when the receiver wants none. */
  readonly token: string | undefined;
}

export interface Refusals {
  readonly lines: number;
  /** What the receiver said of the last of them. */
  readonly error: string | undefined;
}

export type Posted =
  /** Each line was taken, or is among the refused. */
  | { readonly kind: "done"; readonly outcome: Outcome; readonly refused: Refusals }
  /** The receiver does not take lines now, or it took none of these. */
  | { readonly kind: "failed"; readonly outcome: Outcome; readonly error: string };

const USER_AGENT = "Porchlight-Sink/1.0";
const compress = promisify(gzip);

/**
 * In order. What a receiver refuses is halved until the lines that it refuses stand alone.
 * @param isProven whether the receiver has taken lines before under these settings: then what it refuses is for the lines, and else it
 *   may be for the settings as long as it has taken none
 * @throws the signal's reason
 */
export async function postLines(
  posts: Posts,
  receiver: Receiver,
  lines: readonly string[],
  isProven: boolean,
  signal: AbortSignal,
): Promise<Posted> {
  const bisection = new Bisection(lines);
  let [refused, taken] = [0, 0];
  let last: { outcome: Outcome; error: string } | undefined;
  let outcome: Outcome = { kind: "failed", error: "nothing was sent" };
  for (let part = bisection.next(); part !== undefined; part = bisection.next()) {
    const sent = await postOnce(posts, receiver, part, signal);
    outcome = sent.outcome;
    const body = sent.response?.body ?? "";
    const verdict = verdictOn(outcome, body);
    if (verdict.kind === "failed") return { kind: "failed", outcome, error: failureText(outcome, body) };
    if (verdict.kind === "taken") {
      taken += part.length;
      continue;
    }
    last = { outcome, error: failureText(outcome, body) };
    if (verdict.kind === "partly") {
      refused += Math.min(verdict.refused, part.length);
      taken += part.length - Math.min(verdict.refused, part.length);
    } else refused += bisection.refused(part).length;
  }
  if (last && taken === 0 && !isProven) return { kind: "failed", ...last };
  return { kind: "done", outcome, refused: { lines: refused, error: refused > 0 ? last?.error : undefined } };
}

/** One attempt. Without lines it writes nothing, and the receiver says what it would. @throws the signal's reason */
export async function postOnce(
  posts: Posts,
  { url, token }: Receiver,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<Sent> {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "user-agent": USER_AGENT,
    ...(token !== undefined && { authorization: authorization(token) }),
  };
  if (lines.length === 0) return posts.send(url, { headers, body: "" }, signal);
  const body = await compress(`${lines.join("\n")}\n`);
  return posts.send(url, { headers: { ...headers, "content-encoding": "gzip" }, body }, signal);
}

/** InfluxDB's own scheme, unless the token says another. */
function authorization(token: string): string {
  return /^(?:Basic|Bearer|Token) /i.test(token) ? token : `Token ${token}`;
}

/** What follows an answer of a receiver: a pure decision. */
const SECOND = 1_000;
/** The first wait, and the longest, ms. */
const FIRST = 5 * SECOND;
const LONGEST = 300 * SECOND;
/** A wait is up to this part longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.1;
/** What a receiver may ask for at most, ms. */
const MOST_RETRY_AFTER = 3_600 * SECOND;

/** What the answer to some lines means for them. */
type LinesVerdict =
  | { readonly kind: "taken" }
  /** Some of the lines are not written and never will be; the receiver has taken the others. */
  | { readonly kind: "partly"; readonly refused: number }
  /** They are too many or too large together, or one of them is refused for what it is. */
  | { readonly kind: "refused" }
  /** The receiver takes nothing now, or not from us. */
  | { readonly kind: "failed" };

function verdictOn(outcome: Outcome, body: string): LinesVerdict {
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
