/** How devices stand is asked for when it may have changed, and no more often. */
import { PorchlightError } from "@porchlight/sdk";
import type { Device } from "@porchlight/shared/api";
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Board } from "./board.ts";
import { Roster } from "./roster.ts";
import { device } from "./samples.fixture.ts";

/** A roster that is answered one after another; the last answer holds on. */
async function running(...answers: (readonly Device[] | Error)[]) {
  const clock = new VirtualClock();
  const board = new Board();
  const end = new AbortController();
  let asked = 0;
  const devices = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const roster = new Roster({ board, clock, devices, changed: () => undefined, signal: end.signal });
  await roster.read();
  const ended = roster.run().catch((reason: unknown) => reason);
  return { clock, board, roster, end, ended, asked: () => asked };
}

test("a burst of events is one question", async () => {
  const { clock, roster, asked, end, ended } = await running([device("lamp")]);
  for (let count = 0; count < 5; count++) roster.wake();
  await clock.advance(1000);
  expect(asked()).toBe(2);
  await clock.advance(600_000);
  expect(asked()).toBe(2);
  end.abort(new Error("end"));
  expect(await ended).toEqual(new Error("end"));
});

test("a device of which nothing is known is asked for until it is known: its hub's return after a short break is no event", async () => {
  const { clock, board, asked } = await running(
    [device("lamp", "unknown")],
    [device("lamp", "unknown")],
    [device("lamp")],
  );
  await clock.advance(10_000);
  expect([board.hasUnknown, asked()]).toEqual([false, 3]);
});

test("without an answer it asks again, and keeps what it had", async () => {
  const away = new PorchlightError("Connection Failed", "", {});
  const { clock, board, roster, asked } = await running([device("lamp")], away, away, [
    device("lamp"),
    device("blind"),
  ]);
  roster.wake();
  await clock.advance(1000);
  expect([board.devices, asked()]).toEqual([1, 2]);
  await clock.advance(10_000);
  expect([board.devices, asked()]).toEqual([2, 4]);
});

test("a service that refuses ends it", async () => {
  const refusal = new PorchlightError("Token Invalid", "", { status: 401 });
  const { clock, roster, ended } = await running([device("lamp")], refusal);
  roster.wake();
  await clock.advance(1000);
  expect(await ended).toBe(refusal);
});
