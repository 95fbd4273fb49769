import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { doneAtOnce, doneInTurns, LoopTurns, STEPS_OF_TURN, type Work } from "./loop-turns.ts";

function* work(name: string, seen: string[], steps: readonly number[]): Work<string> {
  for (const [at, each] of steps.entries()) {
    seen.push(`${name}${at}`);
    yield each;
  }
  seen.push(`${name} ends`);
  return name;
}

describe("work that shares the loop", () => {
  test("is done at once while it is little", () => {
    const [turns, seen]: [LoopTurns, string[]] = [new LoopTurns(), []];
    for (const name of ["a", "b"]) turns.run(withoutResult(work(name, seen, [1, 1])));
    expect(seen).toEqual(["a0", "a1", "a ends", "b0", "b1", "b ends"]);
    expect(turns.isBusy).toBe(false);
  });

  test("is cut where the steps of a turn are used up, and keeps its order", async () => {
    const [turns, seen]: [LoopTurns, string[]] = [new LoopTurns(), []];
    turns.run(withoutResult(work("a", seen, [1, STEPS_OF_TURN, 1])));
    turns.run(withoutResult(work("b", seen, [STEPS_OF_TURN, 1])));
    expect([seen, turns.waiting, turns.isBusy]).toEqual([["a0", "a1"], 1, true]);
    await settle(1);
    expect(seen).toEqual(["a0", "a1", "a2", "a ends", "b0"]);
    await settle(2);
    expect(seen).toEqual(["a0", "a1", "a2", "a ends", "b0", "b1", "b ends"]);
  });

  test("goes on with the next when one fails, and the failure is the caller's", async () => {
    const [turns, seen]: [LoopTurns, string[]] = [new LoopTurns(), []];
    function* failing(): Work {
      yield 1;
      throw new Error("no");
    }
    expect(() => turns.run(failing())).toThrow("no");
    turns.run(withoutResult(work("a", seen, [1])));
    expect(seen).toEqual(["a0", "a ends"]);
  });

  test("is dropped in its middle", async () => {
    const [turns, seen]: [LoopTurns, string[]] = [new LoopTurns(), []];
    turns.run(withoutResult(work("a", seen, [STEPS_OF_TURN, 1])));
    turns.run(withoutResult(work("b", seen, [1])));
    turns.clear();
    await settle();
    expect([seen, turns.isBusy]).toEqual([["a0"], false]);
    turns.run(withoutResult(work("c", seen, [])));
    expect(seen).toEqual(["a0", "c ends"]);
  });

  test("can drop itself", async () => {
    const [turns, seen]: [LoopTurns, string[]] = [new LoopTurns(), []];
    function* dropping(): Work {
      turns.clear();
      yield 1;
      seen.push("goes on");
    }
    turns.run(dropping());
    await settle();
    expect([seen, turns.isBusy]).toEqual([[], false]);
  });

  test("can be waited for, and done at once", async () => {
    const seen: string[] = [];
    const waited = doneInTurns(work("a", seen, [STEPS_OF_TURN, 1]));
    expect(seen).toEqual(["a0"]);
    expect(await waited).toBe("a");
    expect(doneAtOnce(work("b", seen, [STEPS_OF_TURN, 1]))).toBe("b");
  });
});

function* withoutResult(of: Work<unknown>): Work {
  yield* of;
}
