import type { Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { type Heard, sortIncoming } from "./line.ts";

const stated = (message: Message): Heard => ({ kind: "message", message });
const address = { device: 0, service: "Switch", index: 0, property: "on" };

test.each<[string, Heard, string]>([
  ["a REPORT", stated({ type: "REPORT", seq: 1, ...address, value: true }), "message"],
  ["an answer", stated({ type: "VALUE", seq: 1, value: true }), "message"],
  ["a PING", stated({ type: "PING", seq: 1 }), "message"],
  ["the hub's own PING come back", stated({ type: "PING", seq: 7 }), "ignore"],
  ["a READ, which is the hub's to send", stated({ type: "READ", seq: 1, ...address }), "ignore"],
  ["a WRITE, which is the hub's to send", stated({ type: "WRITE", seq: 1, ...address, value: 1 }), "ignore"],
  ["a WHO, which is the hub's to send", stated({ type: "WHO", seq: 1 }), "ignore"],
  ["a malformed REPORT", { kind: "malformed", type: "REPORT", seq: 1 }, "refuse"],
  ["a malformed CHANGED", { kind: "malformed", type: "CHANGED", seq: 1 }, "refuse"],
  ["a malformed answer", { kind: "malformed", type: "VALUE", seq: 1 }, "ignore"],
  ["a malformed READ, which is the hub's to send", { kind: "malformed", type: "READ", seq: 1 }, "ignore"],
  ["an unknown type", { kind: "unknown_type", type: 99, seq: 1 }, "refuse"],
  ["a HELLO of another version", { kind: "other_version", type: "HELLO", seq: 1, version: 2 }, "other_version"],
  ["a HELLO_ACK of another version", { kind: "other_version", type: "HELLO_ACK", seq: 1, version: 2 }, "ignore"],
])("%s: %#", (_says, body, kind) => {
  expect(sortIncoming(body, (seq) => seq === 7).kind).toBe(kind);
});
