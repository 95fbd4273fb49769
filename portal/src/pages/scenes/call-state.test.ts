/** What became of a call, and of what was tried again. */
import type { SceneWrite, WriteFailure } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { doneDevices, failedDevices, failureGroups, outcomeAfter } from "./use-scene-call.ts";

const of = { service: "Switch", index: "0", property: "on" };
const write = (deviceId: string): SceneWrite => ({
  ...of,
  deviceId,
  value: true,
  ecosystemId: "eco_1",
  id: "env_1",
  commandId: "cmd_1",
});
const failure = (deviceId: string, outcome: WriteFailure["outcome"]): WriteFailure => ({
  ...of,
  ...{ deviceId, outcome, name: "Hub Offline", detail: "" },
});

test("what was tried again replaces what was known of those devices, and of no others", () => {
  const first = outcomeAfter(undefined, undefined, {
    items: [write("a"), write("b")],
    failures: [failure("b", "unknown"), failure("c", "not_sent"), failure("c", "not_sent")],
  });
  expect([failedDevices(first), doneDevices(first)]).toEqual([["b", "c"], ["a"]]);
  const then = outcomeAfter(first, ["b", "c"], {
    items: [write("b"), write("b")],
    failures: [failure("c", "rejected")],
  });
  expect(then.confirmed.map(({ deviceId }) => deviceId)).toEqual(["a", "b", "b"]);
  expect(then.failures.map(({ deviceId, outcome }) => `${deviceId} ${outcome}`)).toEqual(["c rejected"]);
  expect(doneDevices(then)).toEqual(["a", "b"]);
});

test("failures of one device for one reason are joined", () => {
  const all = [failure("a", "unknown"), failure("b", "unknown"), failure("a", "unknown"), failure("a", "rejected")];
  expect(
    failureGroups(all).map(({ first: { deviceId, outcome }, all: { length } }) => `${deviceId} ${outcome} ${length}`),
  ).toEqual([...["a unknown 2", "b unknown 1", "a rejected 1"]]);
});

test("a whole call replaces everything", () => {
  const before = outcomeAfter(undefined, undefined, { items: [], failures: [failure("a", "unknown")] });
  expect(outcomeAfter(before, undefined, { items: [write("b")] })).toEqual({ confirmed: [write("b")], failures: [] });
});
