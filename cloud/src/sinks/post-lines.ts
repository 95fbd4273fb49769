/** Posts lines, gzipped: in one attempt, or in as many as are needed to isolate the lines that a receiver rejects for their contents. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Bisection } from "@porchlight/shared/kernel";
import type { Outcome, Sent, SentMessage } from "../webhooks/index.ts";

/** Sends one message to a receiver; resolves in any case. */
export interface Posts {
  /** @throws the signal's reason */
  send(url: string, message: SentMessage, signal: AbortSignal): Promise<Sent>;
}

export interface Receiver {
  readonly url: string;
  /** The stored token; undefined when the receiver requires none. */
  readonly token: string | undefined;
}

export interface Refusals {
  readonly lines: number;
  /** The receiver's answer to the last of them. */
  readonly error: string | undefined;
}

export type Posted =
  /** Each line was accepted, or is among the rejected ones. */
  | { readonly kind: "done"; readonly outcome: Outcome; readonly refused: Refusals }
  /** The receiver accepts no lines at present, or accepted none of these. */
  | { readonly kind: "failed"; readonly outcome: Outcome; readonly error: string };

const USER_AGENT = "Porchlight-Sink/1.0";
const compress = promisify(gzip);

/**
 * Sends the lines in order. A rejected batch is halved until the rejected lines are alone.
 * @param isProven whether the receiver has accepted lines before with these settings: a rejection is then due to the
 * lines; otherwise it may be due to the settings, until it has accepted some
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

/** One attempt. Without lines it writes nothing, and only tests the receiver's answer. @throws the signal's reason */
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

/** The header's value, with InfluxDB's own scheme unless the token has another. */
function authorization(token: string): string {
  return /^(?:Basic|Bearer|Token) /i.test(token) ? token : `Token ${token}`;
}

const SECOND = 1_000;
/** The first wait, and the longest, ms. */
const FIRST = 5 * SECOND;
const LONGEST = 300 * SECOND;
/** Random deviation of a wait, as a part of it, so that concurrent failures do not retry at the same time. */
const JITTER = 0.1;
/** Maximum wait that a receiver may request, ms. */
const MOST_RETRY_AFTER = 3_600 * SECOND;

/** The meaning of an answer for the lines sent. */
type LinesVerdict =
  | { readonly kind: "taken" }
  /** Some of the lines are rejected permanently; the receiver has accepted the others. */
  | { readonly kind: "partly"; readonly refused: number }
  /** The lines are too many or too large together, or one of them is rejected for its contents. */
  | { readonly kind: "refused" }
  /** The receiver accepts nothing at present, or nothing from us. */
  | { readonly kind: "failed" };

function verdictOn(outcome: Outcome, body: string): LinesVerdict {
  if (outcome.kind === "failed") return { kind: "failed" };
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: "taken" };
  if (status === 400 || status === 413 || status === 422) {
    // The wording of InfluxDB 1, 2 and 3, which write all lines except for these.
    if (!/partial write/i.test(body)) return { kind: "refused" };
    const [, dropped] = /\bdropped=(\d{1,9})/.exec(body) ?? [];
    return { kind: "partly", refused: Math.max(1, Number(dropped ?? 1)) };
  }
  return { kind: "failed" };
}

/**
 * Time until the next attempt, ms: a pure decision.
 * @param attempts consecutive failures
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

/** Maximum characters of an answer that are shown. */
const SHOWN = 300;

/** Why the attempt failed, for a reader. */
export function failureText(outcome: Outcome, body: string): string {
  if (outcome.kind === "failed") return outcome.error;
  const { status } = outcome;
  if (status >= 300 && status < 400) return `the receiver answered ${status}: redirects are not followed`;
  const text = body.trim().slice(0, SHOWN);
  return text === "" ? `the receiver answered ${status}` : `the receiver answered ${status}: ${text}`;
}
