/** What the schemas of the frames let in and keep out, at the edges that the tunnel contract fixes. */
import { expect, test } from "vitest";
import * as frames from "./frames.ts";

const device = "A0-B1-C2-D3-E4-F5";
const target = { device, service: "LightColor", index: "0", property: "hue" };
const value = { kind: "value", n: 7, ...target, value: 240, observedAt: 1, cause: "report" };
const result = {
  kind: "result",
  n: 8,
  command: "cmd_1",
  ...target,
  requested: 240,
  outcome: "confirmed",
  observedAt: 2,
};
const presence = { kind: "presence", n: 9, device, online: false, observedAt: 3 };

function nested(levels: number): unknown {
  let inner: unknown = 1;
  for (let level = 0; level < levels; level++) inner = [inner];
  return inner;
}

const good: readonly [string, { safeParse(input: unknown): { success: boolean } }, unknown][] = [
  ["a value that the device reported", frames.record, value],
  ["a value that is null", frames.record, { ...value, value: null }],
  ["a value that is any JSON", frames.record, { ...value, value: { a: [1, "b", null] } }],
  ["a result with the value that the device now has", frames.record, { ...result, value: 240 }],
  [
    "a result that failed",
    frames.record,
    { ...result, outcome: "rejected", failure: { name: "Device Rejected", detail: "no", code: 3 } },
  ],
  ["a device that left its link", frames.record, presence],
  ["a full batch", frames.records, { records: Array.from({ length: 500 }, () => value) }],
  ["a field from the future", frames.heartbeat, { queued: 0, now: 1, mood: "fine" }],
  [
    "a read in part answered, in part failed",
    frames.readAnswer,
    { items: [{ n: 1, value: 2, observedAt: 3 }, { failure: { name: "Hub Timeout", detail: "" } }] },
  ],
];

test.for(good)("%s is taken", ([, schema, input]) => {
  expect(schema.safeParse(input)).toMatchObject({ success: true });
});

const bad: typeof good = [
  ["a record of no kind", frames.record, { ...value, kind: "rumour" }],
  ["a negative number of the history", frames.record, { ...value, n: -1 }],
  ["a number of the history that is not whole", frames.record, { ...value, n: 1.5 }],
  ["a number of the history past what is exact", frames.record, { ...value, n: 2 ** 53 }],
  ["a value that is missing", frames.record, { ...value, value: undefined }],
  ["a value past 16 KiB", frames.record, { ...value, value: Array.from({ length: 100_000 }, () => 1) }],
  ["a value of 100,000 levels", frames.record, { ...value, value: nested(100_000) }],
  ["a result that asked for a value past 16 KiB", frames.record, { ...result, requested: "a".repeat(16_384) }],
  ["an answer past 16 KiB", frames.readAnswer, { items: [{ n: 1, value: "a".repeat(16_384), observedAt: 3 }] }],
  ["an edgeId in lower case", frames.record, { ...value, device: device.toLowerCase() }],
  ["an index with a leading zero", frames.record, { ...value, index: "01" }],
  ["a property with a space", frames.record, { ...value, property: "hue " }],
  ["an outcome that the hub cannot know", frames.record, { ...result, outcome: "not_sent" }],
  ["a failure of another name", frames.record, { ...result, failure: { name: "Internal Error", detail: "" } }],
  ["an empty batch", frames.records, { records: [] }],
  ["a batch of 501", frames.records, { records: Array.from({ length: 501 }, () => value) }],
  [
    "an inventory of 1,001 devices",
    frames.inventory,
    {
      digest: "",
      devices: Array.from({ length: 1_001 }, () => ({ edgeId: device, digest: "", arrival: 1, online: true })),
    },
  ],
  ["a hello without a signature", frames.hello, { oldest: 1, newest: 1, edgeId: device }],
  ["a clock past any date", frames.heartbeat, { queued: 0, now: 1e300 }],
  ["a round trip past any date", frames.heartbeat, { queued: 0, now: 1, roundTripMs: 1e300 }],
  ["a nonce that is easily guessed", frames.challenge, { nonce: "1", oldest: 1, newest: 1 }],
  ["a command without a deadline", frames.command, { at: 1, id: "cmd_1", ...target, value: 1 }],
  ["a read of nothing", frames.read, { at: 1, deadline: 2, items: [] }],
  ["a goaway into the past", frames.goaway, { afterMs: -1 }],
];

test.for(bad)("%s is refused", ([, schema, input]) => {
  expect(schema.safeParse(input)).toMatchObject({ success: false });
});
