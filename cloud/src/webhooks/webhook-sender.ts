/**
 * Sends one delivery of a webhook or of a sink. The receiver is untrusted: it may hang, trickle, abort, redirect,
 * answer without end or rebind DNS. Each attempt takes bounded time and bounded memory.
 */

import { promises as dns } from "node:dns";
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { type Clock, deadline, orAborted, parseHttpDate } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { judgeAddress, literalAddress, type Networks } from "./callback-url.ts";
import type { Outcome } from "./schedule.ts";

/** From resolving the name to the status of the answer, ms. */
export const TIME_LIMIT = SERVICE_TIMES.webhookAnswer;
/** Bytes of an answer that are kept; the rest is not read. */
export const MOST_ANSWER = 4096;
/** Maximum interim responses (1xx) before the answer: more would only waste CPU time. */
const MOST_INTERIM = 100;

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request to send. */
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

  /** One attempt; resolves in any case. @throws the signal's reason */
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
    const shown = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]),
    );
    const response = { headers: shown, body: await firstOf(answer) };
    const waitMs = retryAfter(shown["retry-after"], this.#deps.clock.now());
    return { kind: "answered", status: statusCode, retryAfter: waitMs, response };
  }

  /** The head of the answer: the first response that is not an interim one. */
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
      // An error after the head concerns the body.
      sent.on("error", (error) => {
        // The receiver had closed a kept connection. A delivery may be repeated, so a new connection is tried at once
        // (RFC 9110, 9.2.2).
        if (isFirst && sent.reusedSocket && codeOf(error) === "ECONNRESET")
          resolve(this.#post(url, address, message, signal, false));
        else reject(error);
      });
      // For example after an unrequested protocol switch, which Node.js reports in no other way.
      sent.once("close", () => reject(new Refused("the connection ended without an answer")));
      sent.end(body);
    });
  }

  /** The address to send to: all addresses of the name are judged, and a single forbidden one rejects the name. */
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

/** This side ended the attempt, for the stated reason. */
class Refused extends Error {}

/** The first bytes of an answer's body, as far as they arrive: its status is known already. */
async function firstOf(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown; on(event: "error", hear: () => void): unknown },
): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Later errors are ignored.
  body.on("error", () => undefined);
  try {
    for await (const part of body) {
      parts.push(part.subarray(0, MOST_ANSWER - length));
      length += part.length;
      if (length >= MOST_ANSWER) break;
    }
  } catch {
    // Timed out or aborted: the bytes so far are the result.
  } finally {
    body.destroy();
  }
  // Not every store accepts U+0000.
  return new TextDecoder().decode(Buffer.concat(parts)).replaceAll("\0", "\uFFFD");
}

/** Milliseconds; undefined when the header cannot be parsed. */
function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, at - now);
}

/** The error for a user who diagnoses a receiver; without names of this machine. */
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

/**
 * Resolves a receiver's name to addresses.
 * @throws Error when the name cannot be resolved
 */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Timeout of each query to a name server, ms. */
const TIMEOUT = 4_000;

/**
 * Queries the name servers directly: the system's resolver shares its few threads with the rest of the process, and a
 * name that is never answered would block them. `localhost` is this machine (RFC 6761). The hosts file is not read.
 */
export function dnsResolve(): Resolve {
  return async (name, signal) => {
    if (/^(?:.+\.)?localhost\.?$/i.test(name)) return ["127.0.0.1", "::1"];
    // One resolver for each query: cancelling a resolver cancels all its queries.
    const resolver = new dns.Resolver({ timeout: TIMEOUT, tries: 2 });
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (addresses.length === 0) throw new Error(`${name} has no address`);
      return addresses;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

/** How long an idle connection is kept, ms. */
const IDLE = 10_000;
/** Maximum receivers with kept connections. */
const KEPT = 500;
/** Maximum bytes of the headers of an answer. */
const MOST_HEADERS = 16_384;

/**
 * Connections to receivers, each to one address that was judged: the name is not resolved again when a socket opens.
 * Idle connections are kept for a while, by address.
 */
export class Connections implements AsyncDisposable {
  /** By origin and address, the most recently used at the end. */
  readonly #agents = new Map<string, HttpAgent>();

  /**
   * Starts a request to that address, even if the URL's name resolves to another one by then. It uses Node's own
   * client, which skips interim responses (1xx); undici treats `100 Continue` as an error.
   */
  post(url: URL, address: string, options: Pick<RequestOptions, "headers" | "signal">): ClientRequest {
    const { protocol, host, port, pathname, search } = url;
    const isSecure = protocol === "https:";
    return (isSecure ? httpsRequest : httpRequest)({
      method: "POST",
      agent: this.#to(url, address),
      host: address,
      port: port || (isSecure ? 443 : 80),
      path: `${pathname}${search}`,
      maxHeaderSize: MOST_HEADERS,
      ...options,
      // The certificate must match the name and not the address: TLS takes the name from this header.
      headers: { ...options.headers, host },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #to({ protocol, origin }: URL, address: string): HttpAgent {
    const key = `${origin} ${address}`;
    const kept = this.#agents.get(key);
    // No limit on connections: webhooks of many tenants may share a receiver, and none waits for another's.
    const options = { keepAlive: true, timeout: IDLE };
    const agent = kept ?? (protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options));
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    if (!kept) this.#forgetOldest();
    return agent;
  }

  #forgetOldest(): void {
    for (const [key, agent] of this.#agents) {
      if (this.#agents.size <= KEPT) return;
      this.#agents.delete(key);
      // A busy connection is closed after its request.
      agent.maxFreeSockets = 0;
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    }
  }
}
