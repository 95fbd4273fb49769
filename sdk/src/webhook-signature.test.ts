/** Deliveries are the service's or another sender's; the library of the standard signs, and checks what we say is right. */
import { systemClock, VirtualClock } from "@porchlight/shared/kernel";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookSignatureError } from "./webhook-signature.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = JSON.stringify({ type: "property.changed", data: { text: "Küche" } });
const clock = new VirtualClock();
const seconds = Math.floor(clock.now() / 1000);

function signed(by = secret, at = seconds, payload = body, format?: { format: "raw" }): Record<string, string> {
  // The library takes the platform's own kind of time.
  // biome-ignore lint/style/noRestrictedGlobals: it gets the time as a parameter
  const signature = new Webhook(by, format).sign("evt_1", new Date(at * 1000), payload);
  return { "webhook-id": "evt_1", "webhook-timestamp": String(at), "webhook-signature": signature };
}
const verified = (headers: Record<string, string>, text: string | Uint8Array = body, key = secret) =>
  verifyWebhook({ headers, body: text, secret: key }, clock);

test("what the standard's library has signed is the service's, as text, as bytes and with Headers", async () => {
  expect(await verified(signed())).toEqual(JSON.parse(body));
  expect(await verified(signed(), new TextEncoder().encode(body))).toEqual(JSON.parse(body));
  expect(await verifyWebhook({ headers: new Headers(signed()), body, secret }, clock)).toEqual(JSON.parse(body));
});

test("a secret of another form is its own bytes", async () => {
  const own = "a secret of my own";
  expect(await verified(signed(own, seconds, body, { format: "raw" }), body, own)).toEqual(JSON.parse(body));
});

test("while a secret is exchanged either signature is enough", async () => {
  const two = {
    ...signed(),
    "webhook-signature": `v1,${btoa("x".repeat(32))} v1a,abc ${signed()["webhook-signature"]}`,
  };
  expect(await verified(two)).toEqual(JSON.parse(body));
});

test("what is refused here the standard's library refuses too", async () => {
  // The library has no clock but the machine's.
  const now = Math.floor(systemClock.now() / 1000);
  const live = new VirtualClock(now * 1000);
  const cases: [string, Record<string, string>, string][] = [
    ["another secret", signed(`whsec_${btoa("another secret, long enough")}`, now), body],
    ["another body", signed(secret, now), body.replace("Küche", "Bad")],
    ["another time than was signed", { ...signed(secret, now), "webhook-timestamp": String(now - 1) }, body],
    ["another ID than was signed", { ...signed(secret, now), "webhook-id": "evt_2" }, body],
    ["too old", signed(secret, now - 301), body],
    ["too new", signed(secret, now + 320), body],
    ["no signature", { "webhook-id": "evt_1", "webhook-timestamp": String(now) }, body],
    ["no time", { ...signed(secret, now), "webhook-timestamp": "yesterday" }, body],
    ["no base64", { ...signed(secret, now), "webhook-signature": "v1,%%%" }, body],
  ];
  for (const [name, headers, text] of cases) {
    await expect(verifyWebhook({ headers, body: text, secret }, live), name).rejects.toThrow(WebhookSignatureError);
    expect(() => new Webhook(secret).verify(text, headers), name).toThrow();
  }
  expect(new Webhook(secret).verify(body, signed(secret, now))).toEqual(
    await verifyWebhook({ headers: signed(secret, now), body, secret }, live),
  );
});

test("an invalid secret is reported", async () => {
  await expect(verified(signed(), body, "whsec_%%%")).rejects.toThrow("base64");
});
