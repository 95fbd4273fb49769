/** Posts lines, gzipped: one attempt, or as many as it takes to find the lines that a receiver refuses for what they are. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Bisection } from "@porchlight/shared/kernel";
import type { Outcome, Sent, SentMessage } from "../../webhooks/index.ts";
import { failureText, verdictOn } from "./schedule.ts";

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
