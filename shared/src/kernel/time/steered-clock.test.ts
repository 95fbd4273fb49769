/** Wall time that another has: it neither jumps with the machine's nor is moved by an uncertain reading. */
import { beforeEach, expect, test } from "vitest";
import { type Clock, SteeredClock } from "./clock.ts";

let wall: number;
let monotonic: number;
let clock: SteeredClock;
beforeEach(() => {
  wall = 1_000_000;
  monotonic = 50;
  const machine: Clock = { now: () => wall, monotonic: () => monotonic, timer: () => ({ cancel() {} }) };
  clock = new SteeredClock(machine);
});

test("it begins with the machine's time and goes on without it", () => {
  expect(clock.now()).toBe(1_000_000);
  wall -= 3_600_000;
  monotonic += 1_000;
  expect(clock.now()).toBe(1_001_000);
});

test("it is set right by a reading, counted from its middle", () => {
  clock.steer(2_000_000, 40, 60);
  expect(clock.now()).toBe(2_000_000);
});

test("what lies within the doubt of a reading moves nothing", () => {
  clock.steer(1_000_009, 40, 60);
  expect(clock.now()).toBe(1_000_000);
  clock.steer(1_000_011, 40, 60);
  expect(clock.now()).toBe(1_000_011);
});

test("a reading that took long is not used", () => {
  clock.steer(9_000_000, 0, 600);
  expect(clock.now()).toBe(1_000_000);
});
