/**
 * Sends one delivery of a webhook or of a sink. The receiver is untrusted: it may hang, trickle, break off, redirect, answer without end or rebind DNS.
 * Each attempt costs a bounded time and a bounded memory.
 */
import type { IncomingMessage } from "node:http";
import { type Clock, deadline, orAborted, parseHttpDate } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { judgeAddress, type Networks } from "./address-rules.ts";
import { literalAddress } from "./callback-url.ts";
import type { Connections } from "./connections.ts";
import type { Resolve } from "./resolver.ts";
import type { Outcome } from "./schedule.ts";

/** From the resolution of the name to the status of the answer, ms. */
export const TIME_LIMIT = SERVICE_TIMES.webhookAnswer;
/** Bytes of an answer that are kept; what follows is not read. */
export const MOST_ANSWER = 4096;
/** Interim responses (1xx) before the answer: more cost processor time for nothing. */
const MOST_INTERIM = 100;

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is sent. */
export interface SentMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface Sent {
  readonly outcome: Outcome;
  /** Milliseconds. */
  readonly durationMs: number;
  readonly response?: Message | undefined;
}

export interface WebhookSenderDeps {
  readonly clock: Clock;
  readonly resolve: Resolve;
  readonly connections: Connections;
  readonly networks: Networks;
}

export class WebhookSender {
  readonly #deps: WebhookSenderDeps;

  constructor(deps: WebhookSenderDeps) {
    this.#deps = deps;
  }

  /** One attempt; never fails, however it ends. @throws the signal's reason */
  async send(url: string, message: SentMessage, signal: AbortSignal): Promise<Sent> {
    const { clock } = this.#deps;
    signal.throwIfAborted();
    const began = clock.monotonic();
    const limit = deadline(clock, "webhook delivery", TIME_LIMIT, { signal, reason: () => new Error("timeout") });
    try {
      const { response, ...outcome } = await this.#attempt(new URL(url), message, limit.signal);
      signal.throwIfAborted();
      return { outcome, durationMs: Math.round(clock.monotonic() - began), response };
    } catch (error) {
      signal.throwIfAborted();
      const why = limit.isOver ? `no answer within ${TIME_LIMIT / 1000} s` : reasonOf(error);
      return { outcome: { kind: "failed", error: why }, durationMs: Math.round(clock.monotonic() - began) };
    } finally {
      limit.end();
    }
  }

  async #attempt(
    url: URL,
    message: SentMessage,
    signal: AbortSignal,
  ): Promise<Outcome & { readonly response?: Message }> {
    const address = await this.#judged(url, signal);
    const answer = await this.#post(url, address, message, signal);
    const { statusCode = 0, headers } = answer;
    const told = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]),
    );
    const response = { headers: told, body: await firstOf(answer) };
    const waitMs = retryAfter(told["retry-after"], this.#deps.clock.now());
    return { kind: "answered", status: statusCode, retryAfter: waitMs, response };
  }

  /** The head of the answer: the first response that is not interim. */
  #post(
    url: URL,
    address: string,
    message: SentMessage,
    signal: AbortSignal,
    isFirst = true,
  ): Promise<IncomingMessage> {
    const { headers, body } = message;
    return new Promise((resolve, reject) => {
      const sent = this.#deps.connections.post(url, address, { headers, signal });
      let interim = 0;
      sent.on("information", () => {
        interim += 1;
        if (interim > MOST_INTERIM) sent.destroy(new Refused("the receiver sends interim responses without end"));
      });
      sent.once("response", resolve);
      // Errors after the head are those of its body.
      sent.on("error", (error) => {
        // A kept connection had been closed by the receiver. A delivery may be repeated, so it goes to a new one at once (RFC 9110, 9.2.2).
        if (isFirst && sent.reusedSocket && codeOf(error) === "ECONNRESET")
          resolve(this.#post(url, address, message, signal, false));
        else reject(error);
      });
      // As of a switch of protocols that was not asked for, which Node reports by nothing else.
      sent.once("close", () => reject(new Refused("the connection ended without an answer")));
      sent.end(body);
    });
  }

  /** The address to send to: all that the name has are judged, and one that may not be is reason enough. */
  async #judged(url: URL, signal: AbortSignal): Promise<string> {
    const { resolve, networks } = this.#deps;
    const literal = literalAddress(url);
    const unresolved = () => {
      throw new Refused("the host name cannot be resolved");
    };
    const addresses =
      literal === undefined ? await orAborted(resolve(url.hostname, signal).catch(unresolved), signal) : [literal];
    const [first] = addresses;
    if (first === undefined) throw new Refused("the host name has no address");
    for (const address of addresses) {
      const judged = judgeAddress(address, networks);
      if (judged === "refused") throw new Refused("the address is not public");
      if (url.protocol !== "https:" && judged !== "allowed")
        throw new Refused("plain http to this address is not allowed");
    }
    return first;
  }
}

/** The attempt was ended here, for the reason that it gives. */
class Refused extends Error {}

/** The first bytes of an answer, as far as they come: its status has been told by then. */
async function firstOf(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown; on(event: "error", hear: () => void): unknown },
): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Errors after that are ignored.
  body.on("error", () => undefined);
  try {
    for await (const part of body) {
      parts.push(part.subarray(0, MOST_ANSWER - length));
      length += part.length;
      if (length >= MOST_ANSWER) break;
    }
  } catch {
    // Late, or broken off: what has come is what there is.
  } finally {
    body.destroy();
  }
  // Not every store keeps U+0000.
  return new TextDecoder().decode(Buffer.concat(parts)).replaceAll("\0", "\uFFFD");
}

/** Milliseconds; undefined when it says nothing that can be understood. */
function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, at - now);
}

/** For a person who looks for what is wrong with a receiver; without what the machine here is called. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const code = codeOf(error);
  switch (code) {
    case "ECONNREFUSED":
      return "the connection was refused";
    case "ECONNRESET":
    case "EPIPE":
      return "the connection broke";
    case "ETIMEDOUT":
      return "the connection could not be made in time";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "the network of the address cannot be reached";
    case undefined:
      return "the attempt failed";
    default:
      return REASONS.find(([codes]) => codes.test(code))?.[1](code) ?? `the attempt failed (${code})`;
  }
}

/** By families of codes: of Node's HTTP parser, of OpenSSL, and of certificates. */
const REASONS: readonly (readonly [codes: RegExp, reason: (code: string) => string])[] = [
  [/^HPE_HEADER_OVERFLOW/, () => "the headers of the answer are too large"],
  [/^HPE_/, () => "the answer is not HTTP"],
  [/^(?:ERR_SSL|EPROTO)/, () => "the receiver does not answer with TLS"],
  [/^(?:CERT|ERR_TLS|DEPTH|SELF|UNABLE|HOSTNAME)/, (code) => `the certificate is not valid (${code})`],
];

function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}
