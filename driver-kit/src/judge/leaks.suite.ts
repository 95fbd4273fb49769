/** Group 10: what has ended is gone: timers, connections, listeners, and memory. */
import { getEventListeners } from "node:events";
import { memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { StatedDriver } from "../host/supervised.ts";
import { Trial } from "./trial.suite.ts";
import { type FloodKind, type JudgeOptions, judgeRounds, type OpenWorld } from "./world.suite.ts";

/** What starts and ends may leave in the heap, bytes: the fakes remember what they heard, some 7 KiB each time. */
const MOST_KEPT_BYTES = 2 * 1024 * 1024;
const MOST_KEPT_BYTES_EACH = 16 * 1024;
/** Of 50 ended drivers or more, those that may still be in memory: the last one, and what frames of the stack still show. */
const MOST_LIVES = 5;

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

  test("can be started and ended again and again: nothing stays open, and none of its lives stays in memory", async () => {
    await using one = await Trial.begin(open, options);
    const rounds = judgeRounds(50, 1000);
    const lives: WeakRef<StatedDriver>[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      await one.settled(one.write(round % 2 === 0));
      lives.push(new WeakRef(one.driver));
      await one.end();
      expect([one.pending, one.world.held(), one.host.live.size]).toEqual([[], 0, 0]);
      await one.again();
      // What is made once, at the first use, is not counted.
      if (round === 4) bytes = await heapAfterCollection();
    }
    const kept = (await heapAfterCollection()) - bytes;
    expect(lives.filter((life) => life.deref() !== undefined).length, "ended lives").toBeLessThanOrEqual(MOST_LIVES);
    expect(kept, "bytes").toBeLessThan(MOST_KEPT_BYTES + rounds * MOST_KEPT_BYTES_EACH);
  });
}

/** What is still reachable. The garbage collector is called by its own name, which V8 gives to a new context only. */
async function heapAfterCollection(): Promise<number> {
  // What a job has looked at stays until it is over.
  await settle();
  setFlagsFromString("--expose-gc");
  const collect: unknown = globalThis.gc ?? runInNewContext("gc");
  if (typeof collect === "function") collect();
  return memoryUsage().heapUsed;
}
