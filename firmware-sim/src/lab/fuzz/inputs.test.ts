/** What the fuzzer says: the same for a seed, of every kind, and never an exception. */
import { seededRandom } from "@porchlight/shared/kernel";
import { decodeBody, FrameReader } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { Inputs } from "./fuzz.ts";

const WORDS = {
  addresses: [{ device: 0, service: "Switch", index: 0, property: "on" }],
  nodeId: "02-50-4C-C0-00-00",
  devices: ["02-50-4C-C0-00-01"],
  boot: 7,
};

function stated(seed: number, side: "hub" | "node", count: number): Uint8Array[] {
  const inputs = new Inputs(seededRandom(seed), side, WORDS);
  return Array.from({ length: count }, () => inputs.next());
}

/** What a receiver makes of each, and how often. */
function heard(inputs: readonly Uint8Array[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const input of inputs)
    for (const event of new FrameReader(4095).push(input)) {
      const body = event.kind === "frame" ? decodeBody(event.body) : undefined;
      const what = event.kind === "damage" ? event.reason : body?.kind === "message" ? body.message.type : body;
      const key = typeof what === "string" ? what : what?.kind === "damage" ? what.reason : (what?.kind ?? "");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

test.each(["hub", "node"] as const)("the same seed says the same as a %s, and another something else", (side) => {
  expect(stated(4, side, 3000)).toEqual(stated(4, side, 3000));
  expect(stated(4, side, 3000)).not.toEqual(stated(5, side, 3000));
});

test.each([
  ["hub", ["READ", "WRITE", "DESCRIBE", "IDENTIFY", "WHO", "HELLO_ACK"]],
  ["node", ["HELLO", "REPORT", "CHANGED", "DESCRIPTION", "VALUE", "WRITTEN"]],
] as const)("a %s says every message of its own, and damage of every kind", (side, own) => {
  const counts = heard(stated(1, side, 20_000));
  const damage = ["bad_crc", "bad_escape", "too_long", "too_short", "bad_cbor", "trailing_bytes", "bad_message"];
  const rest = ["PING", "PONG", "ACK", "ERROR", "malformed", "unknown_type", "other_version"];
  for (const what of [...own, ...damage, ...rest]) expect([what, counts.get(what) ?? 0]).not.toEqual([what, 0]);
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const good = own.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
  expect(good / total).toBeGreaterThan(0.3);
});
