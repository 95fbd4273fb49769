/** Verifies that a webhook delivery comes from the service: Standard Webhooks 1.0, computed over the received bytes. */
import { type Clock, systemClock } from "@porchlight/shared/kernel";
import type { PorchlightEvent } from "./event.ts";

export interface Delivery {
  /** Headers of the request, by lower-case name or as `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The received body, unchanged: parsing and serialising it again would change the bytes. */
  readonly body: string | Uint8Array;
  /** The webhook's secret: `whsec_…`, or any other string, whose bytes are the key. */
  readonly secret: string;
}

/** Largest difference from the current time, seconds; beyond it a delivery counts as a replay. */
const TOLERANCE = 5 * 60;
const PREFIX = "whsec_";

/**
 * Returns the event of a delivery.
 * @throws WebhookSignatureError when the secret did not sign it, or its time is too far off
 */
export async function verifyWebhook(delivery: Delivery, clock: Clock = systemClock): Promise<PorchlightEvent> {
  const id = header(delivery, "webhook-id");
  const timestamp = header(delivery, "webhook-timestamp");
  const signatures = header(delivery, "webhook-signature").split(" ");
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookSignatureError("`webhook-timestamp` is not a time.");
  if (Math.abs(clock.now() / 1000 - Number(timestamp)) > TOLERANCE)
    throw new WebhookSignatureError("It was signed more than five minutes from now, by this machine's clock.");
  const body = typeof delivery.body === "string" ? new TextEncoder().encode(delivery.body) : delivery.body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const key = await crypto.subtle.importKey("raw", keyOf(delivery.secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  for (const signature of signatures) {
    const bytes = signature.startsWith("v1,") ? decode(signature.slice(3)) : undefined;
    // `verify` takes the same time wherever the signatures differ. The cast is safe: the service signed the content, in the form of these
    // types.
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
      return JSON.parse(new TextDecoder().decode(body)) as PorchlightEvent;
  }
  throw new WebhookSignatureError("No signature is made with this secret.");
}

export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}

function header({ headers }: Delivery, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") throw new WebhookSignatureError(`The header \`${name}\` is missing.`);
  return value;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(PREFIX)) return new TextEncoder().encode(secret);
  const key = decode(secret.slice(PREFIX.length));
  if (!key) throw new WebhookSignatureError("After `whsec_` the secret is not base64.");
  return key;
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}
