/**
 * Delivers one event to a local server, signed like the service's deliveries (Standard Webhooks 1.0), and keeps the signing secret of
 * `webhooks listen` beside the settings.
 */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { dirname, join } from "node:path";
import type { PorchlightEvent } from "@porchlight/sdk";
import { type Clock, deadline, type Random } from "@porchlight/shared/kernel";
import { Failure } from "../../session/failure.ts";
import { writeAtomically } from "../../settings/settings-file.ts";

export interface Forwarded {
  /** HTTP status, when the server answered. */
  readonly responseStatus?: number;
  /** Why there was no answer. */
  readonly error?: string;
  readonly durationMs: number;
}

interface ForwarderDeps {
  readonly url: string;
  /** `whsec_…`. */
  readonly secret: string;
  readonly clock: Clock;
  /** Sends the request and returns the status. */
  readonly post: (url: string, message: Message, signal: AbortSignal) => Promise<number>;
  readonly signal: AbortSignal;
}

/** The service's own time limit for a receiver, ms. */
const TIME_LIMIT = 15_000;

export class Forwarder {
  readonly #deps: ForwarderDeps;
  readonly #key: Buffer;

  constructor(deps: ForwarderDeps) {
    this.#deps = deps;
    this.#key = Buffer.from(deps.secret.replace(/^whsec_/, ""), "base64");
  }

  /** Makes exactly one attempt. @throws the signal's reason */
  async forward(event: PorchlightEvent): Promise<Forwarded> {
    const { url, clock, post, signal } = this.#deps;
    const body = JSON.stringify(event);
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = {
      "content-type": "application/json",
      "user-agent": "Porchlight-Webhooks",
      "webhook-id": event.id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${createHmac("sha256", this.#key).update(`${event.id}.${timestamp}.${body}`).digest("base64")}`,
    };
    const began = clock.monotonic();
    const limit = deadline(clock, "forwarded event", TIME_LIMIT, { signal });
    const took = () => ({ durationMs: Math.round(clock.monotonic() - began) });
    try {
      // The service does not count a redirect as success either.
      return { responseStatus: await post(url, { headers, body }, limit.signal), ...took() };
    } catch (failure) {
      signal.throwIfAborted();
      const error = limit.isOver ? `no answer within ${TIME_LIMIT / 1000} s` : reasonOf(failure);
      return { error, ...took() };
    } finally {
      limit.end();
    }
  }
}

function reasonOf(failure: unknown): string {
  if (failure instanceof Error && "code" in failure) return String(failure.code);
  return failure instanceof Error ? failure.message : String(failure);
}

/**
 * A POST to a local server with Node's own client. `fetch` fails at an unrequested `100 Continue`, but the service skips interim
 * responses (RFC 9110, 15.2), so a receiver would fail here and not there.
 */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns the status; redirects are not followed @throws the failure that prevented an answer, or the signal's reason */
export function postNearby(url: string, { headers, body }: Message, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const length = { "content-length": Buffer.byteLength(body) };
    // No keep-alive: a local server may restart between two events, and a connection that it closed would fail the next one.
    const sent = request(url, { method: "POST", agent: false, headers: { ...headers, ...length }, signal });
    sent.once("response", (answer) => {
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.once("close", () => reject(new Error("the connection ended without an answer")));
    sent.end(body);
  });
}

const PREFIX = "whsec_";
/** Length of the service's own secrets. */
const BYTES = 32;
const FORM = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @param settingsPath path of the settings file */
export function secretPath(settingsPath: string): string {
  return join(dirname(settingsPath), "listen-secret");
}

/** Reads the secret at that path, or creates it. @throws Failure when the file holds no secret; SystemError */
export function listenSecret(path: string, random: Random): string {
  const kept = read(path)?.trim();
  if (kept === undefined) {
    const made = PREFIX + Buffer.from(random.bytes(BYTES)).toString("base64");
    writeAtomically(path, `${made}\n`, random);
    return made;
  }
  if (FORM.test(kept)) return kept;
  throw new Failure(
    "usage",
    `${path} contains no secret.`,
    "It must be `whsec_` followed by base64. The file was not changed.",
    `delete the file; then a new secret is created`,
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  }
}
