import { VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { GiveWay } from "./give-way.ts";

const NEVER = new AbortController().signal;

/** Work whose portions take 10 ms of the processor, beside others that use a share of what is left. */
function beside(share: number) {
  const clock = new VirtualClock();
  const begin = clock.monotonic();
  const work = { waiting: 0 };
  let used = 0;
  const processorTime = () => used + share * (clock.monotonic() - begin);
  const pace = new GiveWay({ store: { work }, clock, processorTime }, "work");
  const portion = (isLate = false) =>
    pace.portion(NEVER, isLate, async () => {
      used += 10;
      return clock.monotonic() - begin;
    });
  /** When the next portion begins, ms. */
  const beginOf = async (isLate = false) => {
    const begun = portion(isLate);
    await clock.advance(5_000);
    return begun;
  };
  return { clock, begin, work, portion, beginOf };
}

describe("work in the background", () => {
  it("takes a tenth of the time while others use the thread", async () => {
    const { portion, beginOf } = beside(0.9);
    expect(await portion()).toBe(0);
    expect(await beginOf()).toBe(90);
  });

  it("takes half of it when it is late", async () => {
    const { portion, beginOf } = beside(0.9);
    await portion();
    expect(await beginOf(true)).toBe(10);
  });

  it("goes on after one look while the thread has nothing else to do", async () => {
    const { portion, beginOf } = beside(0.1);
    await portion();
    expect(await beginOf()).toBe(10);
  });

  it("does not rest when its last portion is long ago", async () => {
    const { clock, portion } = beside(0.9);
    await portion();
    await clock.advance(90);
    expect(await portion()).toBe(90);
  });

  it("waits while many jobs do, and for two seconds at the most", async () => {
    const { clock, work, portion, beginOf } = beside(0);
    work.waiting = 33;
    const begun = portion();
    await clock.advance(500);
    work.waiting = 32;
    await clock.advance(50);
    expect(await begun).toBe(550);
    work.waiting = 33;
    expect((await beginOf()) - 550).toBe(2_000);
  });

  it("rests after a portion that failed too", async () => {
    const clock = new VirtualClock();
    let used = 0;
    const pace = new GiveWay(
      { store: { work: { waiting: 0 } }, clock, processorTime: () => used + clock.monotonic() },
      "work",
    );
    const failed = pace.portion(NEVER, false, async () => {
      used += 10;
      throw new Error("the store is away");
    });
    await expect(failed).rejects.toThrow("the store is away");
    const from = clock.monotonic();
    const begun = pace.portion(NEVER, false, async () => clock.monotonic() - from);
    await clock.advance(5_000);
    expect(await begun).toBe(90);
  });
});
