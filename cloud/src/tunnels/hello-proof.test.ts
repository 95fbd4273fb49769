import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSignedBy } from "./handshake.ts";

const BYTES = Buffer.from("what is signed");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" });
const signature = sign(null, BYTES, privateKey).toString("base64");

describe("a proof", () => {
  it("is good of the key that signed, and of these bytes", () => {
    const key = spki(publicKey).toString("base64");
    expect(isSignedBy(key, BYTES, signature)).toBe(true);
    expect(isSignedBy(key, Buffer.from("something else"), signature)).toBe(false);
    const other = generateKeyPairSync("ed25519").publicKey;
    expect(isSignedBy(spki(other).toString("base64"), BYTES, signature)).toBe(false);
    expect(isSignedBy(key, BYTES, "")).toBe(false);
  });

  const der = spki(publicKey);
  it.each([
    ["nothing", ""],
    ["the key without its form", der.subarray(12).toString("base64")],
    ["a byte too few", der.subarray(0, -1).toString("base64")],
    ["a byte too many", Buffer.concat([der, Buffer.alloc(1)]).toString("base64")],
    ["another text of the same bytes", der.toString("base64url")],
    ["the key of another curve", spki(generateKeyPairSync("x25519").publicKey).toString("base64")],
    ["the key of another kind", spki(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey).toString("base64")],
  ])("is none by %s, and errors have their stacks as before", (_what, text) => {
    const { stackTraceLimit } = Error;
    expect(isSignedBy(text, BYTES, signature)).toBe(false);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });
});
