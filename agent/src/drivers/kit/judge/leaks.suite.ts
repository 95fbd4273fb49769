/** Group 10: what has ended is gone: timers, connections, listeners, and memory. */
import { getEventListeners } from "node:events";
import { memoryUsage } from "node:process";
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import { type FloodKind, type JudgeOptions, judgeRounds, type OpenWorld } from "./world.suite.ts";

/** What so many starts and ends may leave in the heap, bytes. Measured only where the garbage collector can be called. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

export function judgeLeaks(open: OpenWorld, options: JudgeOptions): void {
  test("leaves no timer and holds nothing open when it is ended after a life with everything in it", async () => {
    await using one = await Trial.begin(open, options);
    const { world, clock } = one;
    const open0 = world.held();
    expect(open0, "while it lives it holds something").toBeGreaterThan(0);
    for (const value of [true, false]) await one.settled(one.write(value));
    for (const kind of ["reports", "garbage", "long messages"] satisfies FloodKind[]) world.floods?.[kind]?.();
    await clock.advance(60_000);
    for (let round = 0; round < 5; round++) {
      world.silence();
      void one.write(true, 60_000);
      void one.read(60_000);
      await clock.advance(7000);
      world.cut();
      await clock.advance(7000);
      world.speak();
      world.mend();
      await clock.advance(120_000);
    }
    expect(one.driver.has(world.device)).toBe(true);
    expect(world.held(), "as much as at first").toBe(open0);
    await one.end();
    expect([one.pending, world.held(), one.host.live.size]).toEqual([[], 0, 0]);
  });

  test("leaves no listener on the signal of an attempt that is over, however it ended", async () => {
    await using one = await Trial.begin(open, options);
    const { world } = one;
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    for (let round = 0; round < 20; round++) {
      await one.settled(one.write(round % 2 === 0, 5000, { signal }));
      await one.settled(one.read(5000, { signal }));
    }
    expect(listeners(), "answered").toBe(0);
    world.silence();
    const unanswered = [one.read(3000, { signal }), one.write(true, 3000, { signal }), one.read(3000, { signal })];
    await one.settled(Promise.all(unanswered));
    expect(listeners(), "not answered").toBe(0);
    const lost = [one.read(60_000, { signal }), one.write(true, 60_000, { signal })];
    await one.clock.advance(0);
    world.cut();
    await one.settled(Promise.all(lost));
    expect(listeners(), "lost with the line").toBe(0);
  });

  test("can be started and ended fifty times without a trace", async () => {
    await using one = await Trial.begin(open, options);
    const rounds = judgeRounds(50, 1000);
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      await one.settled(one.write(round % 2 === 0));
      await one.end();
      expect([one.pending, one.world.held(), one.host.live.size]).toEqual([[], 0, 0]);
      await one.again();
      // What is made once, at the first use, is not counted.
      if (round === 4) bytes = heapAfterCollection() ?? 0;
    }
    const kept = heapAfterCollection();
    if (kept !== undefined) expect(kept - bytes).toBeLessThan(MOST_KEPT_BYTES);
  });
}

/** Undefined where the garbage collector cannot be called. */
function heapAfterCollection(): number | undefined {
  if (globalThis.gc === undefined) return undefined;
  globalThis.gc();
  return memoryUsage().heapUsed;
}
