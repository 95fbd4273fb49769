/** How often descriptions are looked at. */
import { doneAtOnce } from "@porchlight/driver-kit";
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Payload } from "./device/payload.ts";
import { Gathering } from "./gathering.ts";

function gathering() {
  const clock = new VirtualClock();
  const looks: number[] = [];
  const one = new Gathering({
    ...{ clock, replaced: () => undefined, taken: () => undefined, looked: () => undefined },
    turns: (take) => (message) => doneAtOnce(take(message)),
    *take() {
      yield 1;
      return true;
    },
    look: () => looks.push(clock.monotonic()),
  });
  let described = 0;
  const describe = () => {
    described += 1;
    one.take({ topic: `things/${described}`, payload: new Payload("{}"), retained: false });
  };
  return { clock, looks, one, describe };
}

test("a burst is looked at once, 50 ms after its first description", async () => {
  const { clock, looks, describe } = gathering();
  for (let at = 0; at < 40; at += 1) {
    describe();
    await clock.advance(1);
  }
  await clock.advance(1000);
  expect(looks).toEqual([50]);
});

test("descriptions that never end are looked at ever more rarely, and at least every 3.2 s", async () => {
  const { clock, looks, describe } = gathering();
  for (let ms = 0; ms < 20_000; ms += 10) {
    describe();
    await clock.advance(10);
  }
  const apart = looks.map((at, n) => at - (looks[n - 1] ?? 0));
  for (const [n, wait] of [50, 100, 200, 400, 800, 1600, 3200, 3200].entries())
    expect(Math.abs((apart[n] ?? 0) - wait)).toBeLessThanOrEqual(10);
});

test("after a rest the next is looked at soon again", async () => {
  const { clock, looks, describe } = gathering();
  for (let ms = 0; ms < 5000; ms += 10) {
    describe();
    await clock.advance(10);
  }
  await clock.advance(10_000);
  const before = looks.length;
  describe();
  await clock.advance(50);
  expect(looks.length).toBe(before + 1);
});

test("what waits is not looked at when the connection is gone", async () => {
  const { clock, looks, one, describe } = gathering();
  describe();
  one.clear();
  await clock.advance(10_000);
  expect(looks).toEqual([]);
});

test("what was described is looked at at once when it is asked for, also what its topic's pace holds back", async () => {
  const { clock, looks, one } = gathering();
  for (let count = 0; count < 12; count += 1)
    one.take({ topic: "bridge/devices", payload: new Payload(String(count)), retained: false });
  await Promise.all([one.lookNow(), one.lookNow()]);
  await clock.advance(10_000);
  expect(looks).toEqual([0]);
});
