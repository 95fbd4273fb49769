/** Time that moves only on request. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { sleep } from "./clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

test("timers fire in the order of their instants, and those of one instant in the order in which they were set", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  const at = (name: string, ms: number) => clock.timer(name, ms, () => fired.push(`${name}@${clock.monotonic()}`));
  at("late", 30);
  at("first", 10);
  at("second", 10);
  at("now", -5);
  expect(clock.pending()).toEqual(["now", "first", "second", "late"]);
  await clock.advance(20);
  expect(fired).toEqual(["now@0", "first@10", "second@10"]);
  expect([clock.monotonic(), clock.pending()]).toEqual([20, ["late"]]);
});

test("what a timer leads to happens at its own instant, before the next timer", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const run = (async () => {
    for (let round = 0; round < 3; round++) {
      await sleep(clock, "round", 10);
      seen.push(clock.monotonic());
    }
  })();
  clock.timer("other", 15, () => seen.push(-15));
  await clock.advance(100);
  await run;
  expect(seen).toEqual([10, -15, 20, 30]);
});

test("a jump of the wall clock moves stamps and neither durations nor timers", async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  let fired = 0;
  clock.timer("t", 1_000, () => fired++);
  clock.jumpWall(-3_600_000);
  expect(clock.now()).toBe(Date.UTC(2026, 0, 1) - 3_600_000);
  await clock.advance(999);
  expect([clock.monotonic(), fired]).toEqual([999, 0]);
  await clock.advance(1);
  expect(fired).toBe(1);
});

test("until() moves to the instant at which the promise is settled and no further", async () => {
  const clock = new VirtualClock();
  const nap = sleep(clock, "nap", 500).then(() => "woken");
  clock.timer("later", 900, () => undefined);
  await expect(clock.until(nap)).resolves.toBe("woken");
  expect([clock.monotonic(), clock.pending()]).toEqual([500, ["later"]]);
});

test("until() hands on a failure, and says when nothing settles the promise", async () => {
  const clock = new VirtualClock();
  const failing = sleep(clock, "nap", 5).then(() => Promise.reject(new Error("no")));
  await expect(clock.until(failing)).rejects.toThrow("no");
  const never = clock.until(new Promise(() => undefined), 1_000, 10);
  await expect(never).rejects.toThrow("nothing settled it within 1000 ms");
});

test("what waits for a file is waited for when the time is over", async () => {
  const clock = new VirtualClock();
  clock.timer("the only one", 500, () => undefined);
  expect(await clock.until(readFile(import.meta.filename, "utf8"), 1_000)).toContain("the only one");
  expect(clock.monotonic()).toBeLessThanOrEqual(1_000);
});

test("a cancelled timer is gone", async () => {
  const clock = new VirtualClock();
  let fired = false;
  const timer = clock.timer("t", 1, () => {
    fired = true;
  });
  timer.cancel();
  timer.cancel();
  await clock.advance(10);
  expect(fired).toBe(false);
});

test("untilSo() moves time until it is so, also by what takes real time", async () => {
  const clock = new VirtualClock();
  let text = "";
  clock.timer("read", 500, () => {
    void readFile(import.meta.filename, "utf8").then((read) => {
      text = read;
    });
  });
  await clock.untilSo(() => text !== "", 1_000);
  expect(text).toContain("untilSo");
});
