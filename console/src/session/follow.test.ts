/** Which changes of a stream's connection are reported. */
import { PorchlightError } from "@porchlight/sdk";
import { expect, test } from "vitest";
import { StreamState } from "./follow.ts";

test("the first connection is not spoken of, a lost one is with the next try, and its return is", () => {
  const state = new StreamState();
  expect(state.next({ state: "connected" })).toBeUndefined();
  expect(state.next({ state: "lost", nextTryMs: 500 })).toBe("The connection is lost. Next try in 0.5 s.");
  const cause = new PorchlightError("Service Unavailable", "", { status: 503 });
  expect(state.next({ state: "lost", nextTryMs: 2400, cause })).toBe(
    "The connection is lost (Service Unavailable). Next try in 2 s.",
  );
  expect(state.next({ state: "connected" })).toBe("Connected again.");
  expect(state.next({ state: "connected" })).toBeUndefined();
});

test("events that are no longer kept are named as missed, and a snapshot after it as read anew", () => {
  const state = new StreamState();
  expect(state.item({ kind: "snapshot", sequence: 1, items: [] })).toBeUndefined();
  expect(state.item({ kind: "reset" })).toContain("missed");
  expect(state.item({ kind: "snapshot", sequence: 9, items: [] })).toBe("All values were read again.");
});
