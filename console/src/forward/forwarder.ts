/** Carries one event to a server nearby, signed as the service signs its deliveries (Standard Webhooks 1.0). */
import { createHmac } from "node:crypto";
import type { PorchlightEvent } from "@porchlight/sdk";
import { type Clock, deadline } from "@porchlight/shared/kernel";
import type { Message } from "./post.ts";

export interface Forwarded {
  /** HTTP status, when there was an answer. */
  readonly responseStatus?: number;
  /** Why there was none. */
  readonly error?: string;
  readonly durationMs: number;
}

export interface ForwarderDeps {
  readonly url: string;
  /** `whsec_…`. */
  readonly secret: string;
  readonly clock: Clock;
  /** Gives the status. */
  readonly post: (url: string, message: Message, signal: AbortSignal) => Promise<number>;
  readonly signal: AbortSignal;
}

/** As long as the service waits for a receiver, ms. */
const TIME_LIMIT = 15_000;

export class Forwarder {
  readonly #deps: ForwarderDeps;
  readonly #key: Buffer;

  constructor(deps: ForwarderDeps) {
    this.#deps = deps;
    this.#key = Buffer.from(deps.secret.replace(/^whsec_/, ""), "base64");
  }

  /** One attempt, and no other. @throws the signal's reason */
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
      // A redirect is no success to the service either.
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
