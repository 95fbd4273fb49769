/** What ends a piece of work first is its reason, and nothing is left behind when it has ended. */
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../time/virtual-clock.ts";
import { deadline, LinkedAbort } from "./abort.ts";

const OUTER = new Error("the caller has gone");
const OVER = new Error("the time is over");

describe("a linked abort", () => {
  test.for<[string, (outer: AbortController, own: LinkedAbort) => void, unknown]>([
    ["is not aborted by itself", () => undefined, undefined],
    ["is aborted with the other's reason", (outer) => outer.abort(OUTER), OUTER],
    ["is aborted for its own", (_, own) => own.abort(OVER), OVER],
    ["keeps the first reason", (outer, own) => [own.abort(OVER), outer.abort(OUTER)], OVER],
    ["is aborted by the other no more once it has ended", (outer, own) => [own.end(), outer.abort(OUTER)], undefined],
  ])("%s", ([, act, reason]) => {
    const outer = new AbortController();
    const own = new LinkedAbort(outer.signal);
    act(outer, own);
    expect([own.signal.aborted, own.signal.reason]).toEqual([reason !== undefined, reason]);
  });

  test("is aborted from the beginning when the other is", () => {
    expect(new LinkedAbort(AbortSignal.abort(OUTER)).signal.reason).toBe(OUTER);
  });

  test("needs no other", () => {
    const own = new LinkedAbort(undefined);
    own.abort(OVER);
    own.end();
    expect(own.signal.reason).toBe(OVER);
  });

  test("aborts nothing but itself", () => {
    const outer = new AbortController();
    new LinkedAbort(outer.signal).abort(OVER);
    expect(outer.signal.aborted).toBe(false);
  });
});

describe("a deadline", () => {
  test.for<[string, (clock: VirtualClock, outer: AbortController) => unknown, unknown, boolean]>([
    ["stands until its time is over", (clock) => clock.advance(99), undefined, false],
    ["is over after its time", (clock) => clock.advance(100), OVER, true],
    ["ends with the other signal before", (_, outer) => outer.abort(OUTER), OUTER, false],
    [
      "is not over when the other signal was first",
      (clock, outer) => [outer.abort(OUTER), clock.advance(100)][1],
      OUTER,
      false,
    ],
  ])("%s", async ([, act, reason, isOver]) => {
    const [clock, outer] = [new VirtualClock(), new AbortController()];
    const limit = deadline(clock, "work", 100, { signal: outer.signal, reason: () => OVER });
    await act(clock, outer);
    expect([limit.signal.reason, limit.isOver]).toEqual([reason, isOver]);
    limit.end();
  });

  test("leaves neither a timer nor a listener behind, however often a long-lived signal is used", () => {
    const [clock, outer] = [new VirtualClock(), new AbortController()];
    for (let n = 0; n < 100; n++) {
      const limit = deadline(clock, "work", 100, { signal: outer.signal, reason: () => OVER });
      limit.end();
      limit.end();
    }
    expect([clock.pending(), getEventListeners(outer.signal, "abort").length]).toEqual([[], 0]);
  });
});
