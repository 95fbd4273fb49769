/** A set of tasks is idle when the last of them has ended, and not before. */
import { expect, test } from "vitest";
import { settle } from "../time/virtual-clock.ts";
import { TaskSet } from "./scope.ts";

/** A set that is waited for, and what became of that. */
function waitedFor(set: TaskSet): { isIdle: boolean } {
  const state = { isIdle: false };
  void set.idle().then(() => {
    state.isIdle = true;
  });
  return state;
}

test("a set without tasks is idle", async () => {
  const set = new TaskSet();
  await set.idle();
  expect(set.size).toBe(0);
});

test.for<[string, (task: PromiseWithResolvers<void>) => void]>([
  ["succeeds", (task) => task.resolve()],
  ["fails", (task) => task.reject(new Error("no"))],
])("it is idle once its last task %s", async ([, end]) => {
  const set = new TaskSet();
  const [first, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  for (const task of [first, last]) set.add(task.promise).catch(() => undefined);
  const state = waitedFor(set);
  first.resolve();
  await settle();
  expect([set.size, state.isIdle]).toEqual([1, false]);
  end(last);
  await settle();
  expect([set.size, state.isIdle]).toEqual([0, true]);
});

test("a task that is added meanwhile is waited for too", async () => {
  const set = new TaskSet();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void set.add(first.promise.then(() => void set.add(second.promise)));
  const state = waitedFor(set);
  first.resolve();
  await settle();
  expect(state.isIdle).toBe(false);
  second.resolve();
  await settle();
  expect(state.isIdle).toBe(true);
});

test("what a task gives comes when it counts no longer, and its failure comes to its adder", async () => {
  const set = new TaskSet();
  expect([await set.add(Promise.resolve("value")), set.size]).toEqual(["value", 0]);
  await expect(set.add(Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(set.size).toBe(0);
});
