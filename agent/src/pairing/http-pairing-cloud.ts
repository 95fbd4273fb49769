/** The cloud's two pairing routes over HTTP: directly or through a proxy, with a private CA, and with every answer checked by a schema. */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { getCACertificates } from "node:tls";
import { type Clock, deadline } from "@porchlight/shared/kernel";
import { z } from "zod";
import { throughProxy } from "../links/index.ts";

export interface HttpPairingOptions {
  readonly clock: Clock;
  /** Base address of the service. */
  readonly cloudUrl: string;
  /** The environment with `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** PEM of a CA that is trusted in addition to the usual ones. */
  readonly ca?: string | undefined;
}

const ANSWER_MS = 15_000;
const LONGEST_ANSWER = 64 * 1024;
/** Longest `retry-after` that is respected, s: the same as for the tunnel. */
const LONGEST_ASKED_S = 15 * 60;

const problem = z.object({ title: z.string().max(128) });

interface Answer {
  readonly status: number;
  readonly retryAfterMs: number;
  readonly body: unknown;
}

export function httpPairingCloud(options: HttpPairingOptions): PairingCloud {
  const post = async (path: string, body: object, signal: AbortSignal): Promise<Answer | Setback> => {
    try {
      return await ask(options, path, body, signal);
    } catch (failure) {
      signal.throwIfAborted();
      return setback(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return {
    async begin(hub, signal) {
      const answer = await post("/api/pairings", hub, signal);
      return "kind" in answer ? answer : readBegin(answer);
    },
    async poll(proof, signal) {
      const answer = await post("/api/pairings/poll", proof, signal);
      return "kind" in answer ? answer : readPoll(answer);
    },
  };
}

function readBegin({ status, body, retryAfterMs }: Answer): BeginAnswer {
  const { data: pairing } = begunPairing.safeParse(body);
  return status === 201 && pairing ? { kind: "begun", pairing } : setback(named(status, body), retryAfterMs);
}

function readPoll({ status, body, retryAfterMs }: Answer): PollAnswer {
  if (status === 200) {
    const { data } = grant.safeParse(body);
    if (data) return { kind: "approved", grant: data };
  }
  if (status === 400) {
    switch (problem.safeParse(body).data?.title) {
      case "Pairing Pending":
        return { kind: "pending" };
      case "Pairing Slow Down":
        return { kind: "slow_down", retryAfterMs };
      case "Pairing Denied":
        return { kind: "denied" };
      case "Pairing Expired":
        return { kind: "expired" };
      case "Pairing Code Invalid":
        return { kind: "unknown" };
    }
  }
  return setback(named(status, body), retryAfterMs);
}

/** Describes an answer that cannot be used. */
function named(status: number, body: unknown): string {
  const title = problem.safeParse(body).data?.title.replaceAll(/[^\x20-\x7e]/g, "");
  return title
    ? `it answered ${status}, ${title}`
    : `it answered ${status}, with something that is not an answer to a pairing`;
}

function setback(detail: string, retryAfterMs = 0): Setback {
  return { kind: "setback", detail, retryAfterMs };
}

async function ask(
  { clock, cloudUrl, env, ca }: HttpPairingOptions,
  path: string,
  body: object,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(cloudUrl);
  url.pathname = url.pathname.replace(/\/*$/, path);
  const reason = () => new Error("it does not answer");
  const limit = deadline(clock, "the cloud's answer", ANSWER_MS, { signal, reason });
  try {
    const trusted = ca === undefined ? undefined : [...getCACertificates("default"), ca];
    const through = await throughProxy(url, env, trusted, limit.signal);
    const text = JSON.stringify(body);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const options: RequestOptions & { ca?: string[] } = {
      method: "POST",
      headers,
      agent: false,
      signal: limit.signal,
      ...(trusted && { ca: trusted }),
      ...(through && { createConnection: () => through }),
    };
    return await exchange(url, options, text);
  } catch (failure) {
    limit.signal.throwIfAborted();
    throw failure;
  } finally {
    limit.end();
  }
}

function exchange(url: URL, options: RequestOptions, text: string): Promise<Answer> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (message) => read(message).then(resolve, reject));
    asked.once("error", reject);
    asked.end(text);
  });
}

async function read(message: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > LONGEST_ANSWER) throw new Error("its answer does not end");
  }
  const after = message.headers["retry-after"];
  const retryAfterMs =
    after !== undefined && /^\d{1,5}$/.test(after) ? Math.min(Number(after), LONGEST_ASKED_S) * 1000 : 0;
  return { status: message.statusCode ?? 0, retryAfterMs, body: parsed(Buffer.concat(chunks).toString()) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not JSON cannot be an answer to a pairing.
    return undefined;
  }
}

/** An http or https URL of printable ASCII characters. */
const ADDRESS = /^https?:\/\/[\x21-\x7e]{1,512}$/;
/** Terminals and logs show the address, so it must not contain control characters or other text. */
const address = z.string().regex(ADDRESS);

/** A pairing that the cloud has begun. The bounds are the hub's own: an answer beyond them is rejected. */
export const begunPairing = z.object({
  /** A hub signs it, so it must not be a text with a meaning elsewhere: one word, without line ends or spaces. */
  deviceCode: z.string().regex(/^[A-Za-z0-9_-]{16,256}$/),
  userCode: z.string().regex(/^[A-Z0-9-]{4,32}$/),
  verificationUri: address,
  verificationUriComplete: address,
  /** Seconds. */
  expiresIn: z.number().positive(),
  /** Seconds between two polls. */
  interval: z.number().positive().max(3600),
});
export type BegunPairing = z.infer<typeof begunPairing>;

/** The grant that an approved hub receives. */
const grant = z.object({
  clientId: z.string().regex(/^[a-z0-9_]{1,64}$/),
  token: z.string().regex(/^[\x21-\x7e]{1,512}$/),
  environmentId: z.string().regex(/^[a-z0-9_]{1,64}$/),
});
export type Grant = z.infer<typeof grant>;

/** The cloud was not reached, or gave no usable answer. */
interface Setback {
  readonly kind: "setback";
  readonly detail: string;
  /** The value of `retry-after`, ms; 0 when it was missing. */
  readonly retryAfterMs: number;
}

export type BeginAnswer = { readonly kind: "begun"; readonly pairing: BegunPairing } | Setback;

export type PollAnswer =
  | { readonly kind: "approved"; readonly grant: Grant }
  | { readonly kind: "pending" | "denied" | "expired" | "unknown" }
  | { readonly kind: "slow_down"; readonly retryAfterMs: number }
  | Setback;

/** The cloud's part of pairing (RFC 8628), with every answer as a value. Neither call throws anything but the signal's reason. */
export interface PairingCloud {
  begin(
    hub: { readonly edgeId: string; readonly agentVersion: string; readonly publicKey: string },
    signal: AbortSignal,
  ): Promise<BeginAnswer>;
  /** @param signature Ed25519 over the device code, base64 */
  poll(proof: { readonly deviceCode: string; readonly signature: string }, signal: AbortSignal): Promise<PollAnswer>;
}
