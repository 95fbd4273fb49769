import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { StandingProcess } from "../standing-hub.fixture.ts";
import { Alarm } from "./alarm.ts";

function standing() {
  const clock = new VirtualClock();
  const process = new StandingProcess(clock);
  const rings: number[] = [];
  const alarm = new Alarm(process, "alarm", () => void rings.push(clock.monotonic()));
  return { clock, process, rings, alarm };
}

test("an alarm rings when it is due, and once", async () => {
  const { clock, rings, alarm } = standing();
  alarm.ringBy(500);
  alarm.ringBy(900);
  alarm.ringBy(400);
  await clock.advance(2000);
  expect(rings).toEqual([400]);
});

test("an alarm that is due while the process stands still waits for the input before it rings", async () => {
  const { clock, process, rings, alarm } = standing();
  alarm.ringBy(500);
  process.stop();
  await clock.advance(9000);
  process.goOn();
  expect([alarm.isLate, rings]).toEqual([true, []]);
  alarm.ringBy(100);
  await clock.advance(49);
  expect([alarm.isLate, rings]).toEqual([true, []]);
  await clock.advance(1);
  expect([alarm.isLate, rings]).toEqual([false, [9050]]);
});

test("an alarm whose process stands still again while it waits for the input waits once more", async () => {
  const { clock, process, rings, alarm } = standing();
  alarm.ringBy(500);
  for (let times = 0; times < 2; times++) {
    process.stop();
    await clock.advance(1000);
    process.goOn();
  }
  expect(rings).toEqual([]);
  await clock.advance(50);
  expect(rings).toEqual([2050]);
});

test("an alarm rings in the end, also in a process that is always late", async () => {
  const { clock, process, rings, alarm } = standing();
  alarm.ringBy(500);
  for (let times = 0; times < 10; times++) {
    process.stop();
    await clock.advance(1000);
    process.goOn();
  }
  expect(rings).toEqual([6000]);
});

test("an alarm waits for the input when the machine has slept, which only the wall clock shows", async () => {
  const { clock, rings, alarm } = standing();
  alarm.ringBy(500);
  await clock.advance(499);
  clock.jumpWall(9000);
  expect(alarm.isLate).toBe(true);
  await clock.advance(50);
  expect(rings).toEqual([]);
  await clock.advance(1);
  expect(rings).toEqual([550]);
});

test("a cancelled alarm does not ring, and can be set anew", async () => {
  const { clock, process, rings, alarm } = standing();
  alarm.ringBy(500);
  process.stop();
  await clock.advance(9000);
  process.goOn();
  alarm.cancel();
  await clock.advance(100);
  alarm.ringBy(clock.monotonic() + 10);
  await clock.advance(100);
  expect(rings).toEqual([9110]);
});
