/** Signatures, checked with the verifier that receivers use, and the other way round. */
import { NamedError, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { checkSecret, makeSecret, replaceSecret, type Secret, signatureOf, signingKeys } from "./signature.ts";

const HOUR = 3_600_000;
const body = JSON.stringify({ type: "zone.created", data: { alias: "Wohnk\u00fcche \u{1F525}" } });
const id = "evt_01h455vb4pex5vsknk084sn02q";
const now = systemClock.now();
const timestamp = Math.floor(now / 1000);
const sent = (secrets: readonly Secret[], at = now) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signatureOf(signingKeys(secrets), { id, timestamp, body }, at),
});

describe("a signature", () => {
  it("by a secret made here is good for a receiver with the public library", () => {
    const secret = makeSecret(seededRandom(1));
    expect(new Verifier(secret).verify(body, sent([{ secret }]))).toEqual(JSON.parse(body));
  });

  it("by any other text is good for a receiver that has its bytes as the key", () => {
    const secret = "plain text, \u00fc";
    const verifier = new Verifier(Buffer.from(secret).toString("base64"));
    expect(verifier.verify(body, sent([{ secret: checkSecret(secret) }]))).toEqual(JSON.parse(body));
  });

  it("is none for another secret, another body, or another time", () => {
    const [secret, other] = [makeSecret(seededRandom(1)), makeSecret(seededRandom(2))];
    const headers = sent([{ secret }]);
    expect(() => new Verifier(other).verify(body, headers)).toThrow();
    expect(() => new Verifier(secret).verify(`${body} `, headers)).toThrow();
    expect(() =>
      new Verifier(secret).verify(body, { ...headers, "webhook-timestamp": String(timestamp + 1) }),
    ).toThrow();
  });

  it("is made by both secrets for 24 hours after a change, and then by the new one", () => {
    const [former, newer] = [makeSecret(seededRandom(1)), makeSecret(seededRandom(2))];
    const secrets = replaceSecret([{ secret: former }], newer, now);
    for (const secret of [former, newer])
      expect(new Verifier(secret).verify(body, sent(secrets, now + 24 * HOUR - 1))).toEqual(JSON.parse(body));
    const later = sent(secrets, now + 24 * HOUR);
    expect(new Verifier(newer).verify(body, later)).toEqual(JSON.parse(body));
    expect(() => new Verifier(former).verify(body, later)).toThrow();
  });

  it("does not grow with every change of the secret", () => {
    let secrets: readonly Secret[] = [{ secret: "first" }];
    for (let change = 0; change < 50; change++) secrets = replaceSecret(secrets, `secret ${change}`, now + change);
    expect(secrets).toHaveLength(5);
    expect(secrets[0]).toEqual({ secret: "secret 49" });
    expect(replaceSecret(secrets, "secret 49", now)).toBe(secrets);
  });
});

describe("a secret", () => {
  it.each([
    "whsec_",
    "whsec_not base64!",
    "whsec_QUJD=",
    `whsec_${Buffer.alloc(513).toString("base64")}`,
    "",
    "\u00fc".repeat(257),
  ])("%j is none", (secret) => expect(() => checkSecret(secret)).toThrow(NamedError));

  it.each(["x", "\u00fc".repeat(256), `whsec_${Buffer.alloc(512).toString("base64")}`])("%j is one", (secret) => {
    expect(checkSecret(secret)).toBe(secret);
  });
});
