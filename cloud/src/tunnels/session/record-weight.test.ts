import type { HubRecord } from "@porchlight/shared/tunnel";
import { expect, test } from "vitest";
import { recordWeight } from "./record-weight.ts";

const value = (of: unknown) => ({ kind: "value", n: 1, value: of }) as HubRecord;

test.for([
  ["a number", value(7), 1],
  ["no value at all", { kind: "presence", n: 1 } as unknown as HubRecord, 1],
  ["null", value(null), 1],
  ["a short text", value("x".repeat(255)), 1],
  ["a text of 256 characters", value("x".repeat(256)), 2],
  ["a text of 16 KB", value("x".repeat(16_384)), 65],
  ["an array that is as long as JSON", value(Array(600).fill(1)), 5],
] as const)("%s counts as so many records", ([, record, weight]) => {
  expect(recordWeight(record)).toBe(weight);
});
