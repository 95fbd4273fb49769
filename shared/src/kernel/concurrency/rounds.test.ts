/** One at a time, one more for all that is asked meanwhile, and nothing forgotten at the end. */
import { expect, test } from "vitest";
import { Rounds } from "./jobs.ts";

test("what is asked for while a round is under way is done in one more, never two at once", async () => {
  let under = 0;
  let most = 0;
  let count = 0;
  const gates: (() => void)[] = [];
  const rounds = new Rounds(async () => {
    most = Math.max(most, ++under);
    await new Promise<void>((resolve) => gates.push(resolve));
    count += 1;
    under -= 1;
  });
  const all = [rounds.ask(), rounds.ask(), rounds.ask()];
  gates.shift()?.();
  await Promise.resolve();
  await expect.poll(() => gates.length).toBe(1);
  gates.shift()?.();
  await Promise.all(all);
  expect([count, most, rounds.running]).toEqual([2, 1, undefined]);
});

test("no request is forgotten, at any moment of the end", async () => {
  for (let turns = 0; turns < 12; turns++) {
    let done = 0;
    const rounds = new Rounds(async () => {
      done += 1;
    });
    void rounds.ask();
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const before = done;
    await rounds.ask();
    expect(done, `asked after ${turns} turns`).toBe(before + 1);
  }
});

test("a round that asks for another before it waits for anything gets one after itself", async () => {
  const story: string[] = [];
  const rounds: Rounds = new Rounds(async () => {
    story.push("begin");
    if (story.length === 1) void rounds.ask();
    await Promise.resolve();
    story.push("end");
  });
  await rounds.ask();
  expect(story).toEqual(["begin", "end", "begin", "end"]);
});

test("a failure rejects the waiting callers, and the next request begins anew", async () => {
  let fails = true;
  const rounds = new Rounds(async () => {
    if (fails) throw new Error("no");
  });
  await expect(rounds.ask()).rejects.toThrow("no");
  fails = false;
  await rounds.ask();
});

test("once it is ended no round begins, and the end waits for the one under way", async () => {
  let count = 0;
  const gate = Promise.withResolvers<void>();
  const rounds = new Rounds(async () => {
    count += 1;
    await gate.promise;
  });
  void rounds.ask();
  void rounds.ask();
  const end = rounds.end();
  gate.resolve();
  await end;
  await rounds.ask();
  expect([count, rounds.ended]).toEqual([1, true]);
});
