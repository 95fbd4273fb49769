/** Callers that wait for an answer get exactly one end: the answer, a failure, their deadline or their own withdrawal. */
import { expect, test } from "vitest";
import { settle, VirtualClock } from "../time/virtual-clock.ts";
import { Waiters } from "./waiters.ts";

class Late extends Error {}

function scene() {
  const clock = new VirtualClock();
  const waiters = new Waiters<number, string>(clock, "answer");
  const wait = (key: number, signal?: AbortSignal) =>
    waiters.wait(key, { timeoutMs: 1_000, onTimeout: () => new Late(`no answer to ${key}`), signal });
  return { clock, waiters, wait };
}

test("an answer reaches the caller of its key and no other", async () => {
  const { clock, waiters, wait } = scene();
  const [one, two] = [wait(1), wait(2)];
  expect(waiters.settle(2, "two")).toBe(true);
  expect(waiters.settle(1, "one")).toBe(true);
  await expect(Promise.all([one, two])).resolves.toEqual(["one", "two"]);
  expect([waiters.size, clock.pending()]).toEqual([0, []]);
});

test("a second answer, or one without a waiter, returns false", async () => {
  const { waiters, wait } = scene();
  const one = wait(1);
  expect([waiters.settle(1, "first"), waiters.settle(1, "second"), waiters.fail(1, new Error())]).toEqual([
    true,
    false,
    false,
  ]);
  expect(waiters.settle(99, "?")).toBe(false);
  await expect(one).resolves.toBe("first");
});

test("a wait ends at its deadline with the error that was asked for", async () => {
  const { clock, waiters, wait } = scene();
  const failed = expect(wait(1)).rejects.toThrow(new Late("no answer to 1"));
  await clock.advance(999);
  expect(waiters.has(1)).toBe(true);
  await clock.advance(1);
  await failed;
  expect([waiters.has(1), waiters.settle(1, "late")]).toEqual([false, false]);
});

test("a caller that goes away ends its own wait at once, with its reason", async () => {
  const { clock, waiters, wait } = scene();
  const leaving = new AbortController();
  const failed = expect(wait(1, leaving.signal)).rejects.toThrow("gone");
  leaving.abort(new Error("gone"));
  await failed;
  expect([waiters.size, clock.pending()]).toEqual([0, []]);
});

test("a caller that is gone already never waits", async () => {
  const { waiters, wait } = scene();
  await expect(wait(1, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(waiters.size).toBe(0);
});

test("when the line goes down every caller is answered at once, each for its own key", async () => {
  const { clock, waiters, wait } = scene();
  const waits = Promise.allSettled([wait(1), wait(2)]);
  waiters.failAll((key) => `down ${key}`);
  await settle();
  await expect(waits).resolves.toEqual([
    { status: "rejected", reason: "down 1" },
    { status: "rejected", reason: "down 2" },
  ]);
  expect([waiters.size, clock.pending()]).toEqual([0, []]);
});

test("an answered wait no longer listens to its signal", async () => {
  const { waiters, wait } = scene();
  const leaving = new AbortController();
  const first = wait(1, leaving.signal);
  waiters.settle(1, "one");
  await first;
  const second = wait(1);
  leaving.abort();
  expect(waiters.settle(1, "again")).toBe(true);
  await expect(second).resolves.toBe("again");
});
