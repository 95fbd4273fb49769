import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, it } from "vitest";
import { LateRefusals } from "./late-refusals.ts";

let clock: VirtualClock;
let late: LateRefusals;
let answered: number[];
let cut: number;
beforeEach(() => {
  clock = new VirtualClock();
  late = new LateRefusals({ clock, random: seededRandom(1) });
  answered = [];
  cut = 0;
});

function refuse(network: string, times: number): void {
  const from = clock.monotonic();
  for (let n = 0; n < times; n++)
    late.refuse(network, { answer: () => answered.push(clock.monotonic() - from), cut: () => (cut += 1) });
}

describe("a refusal", () => {
  it("is answered at once, twenty times a second at one address", async () => {
    refuse("a", 20);
    expect(answered).toHaveLength(20);
    await clock.advance(1_000);
    refuse("a", 20);
    expect(answered).toHaveLength(40);
  });

  it("past that is answered after one to two seconds; other addresses do not feel it", async () => {
    refuse("a", 60);
    refuse("b", 20);
    expect(answered).toHaveLength(40);
    await clock.advance(2_000);
    expect(answered).toHaveLength(80);
    const waits = answered.slice(40);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(new Set(waits).size).toBeGreaterThan(30);
    expect(cut).toBe(0);
  });

  it("is not answered at all where too many wait, and the connection ends", async () => {
    refuse("a", 250);
    expect([answered.length, cut, late.cut]).toEqual([20, 30, 30]);
    for (let n = 0; n < 9; n++) refuse(`b${n}`, 220);
    expect(late.cut).toBe(30);
    refuse("c", 21);
    expect(late.cut).toBe(31);
    await clock.advance(2_000);
    refuse("a", 250);
    expect(late.cut).toBe(31 + 30);
  });

  it("that is held is answered when the service ends, once", async () => {
    refuse("a", 30);
    late.release();
    expect(answered).toHaveLength(30);
    await clock.advance(5_000);
    expect(answered).toHaveLength(30);
  });
});
