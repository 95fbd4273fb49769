/** Turns of the processor between owners, with a processor whose time a test sets. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, it } from "vitest";
import { OwnerTurns } from "./owner-turns.ts";

let clock: VirtualClock;
let used: number;
let turns: OwnerTurns;
let headers: Record<string, string>;
beforeEach(() => {
  clock = new VirtualClock();
  used = 0;
  headers = {};
  turns = new OwnerTurns({ clock, processorTime: () => used });
});
const reply = { header: (name: string, value: string) => Object.assign(headers, { [name]: value }) };
const spend = (owner: string, ms: number) => turns.measure(owner, () => (used += ms));
const iteration = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Does slices of work, and notes in which order. */
async function work(owner: string, slices: readonly number[], done: string[]): Promise<void> {
  for (const ms of slices) {
    await turns.next(owner);
    used += ms;
    done.push(owner);
  }
}

describe("a request is handled", () => {
  it("at once as long as its owner is within its share", () => {
    spend("a", 200);
    expect(turns.admit("a", reply)).toBeUndefined();
    expect(headers).toEqual({});
  });

  it("in its turn once its owner has used up its share, and at once again later", async () => {
    spend("a", 300);
    const admitted = turns.admit("a", reply);
    expect(admitted).toBeInstanceOf(Promise);
    await admitted;
    expect(turns.admit("b", reply)).toBeUndefined();
    await clock.advance(2000);
    expect(turns.admit("a", reply)).toBeUndefined();
  });

  it("never when 200 of its owner wait already: the answer names the limit and when to come back", async () => {
    spend("a", 1250);
    const waiting = Array.from({ length: 200 }, () => turns.admit("a", reply));
    expect(() => turns.admit("a", reply)).toThrow("Try again in 5 s.");
    expect(headers).toMatchObject({
      "ratelimit-policy": '"processor-time";q=250;w=1',
      ratelimit: '"processor-time";r=0;t=5',
    });
    await Promise.all(waiting);
    expect(turns.admit("a", reply)).toBeInstanceOf(Promise);
  });

  it("never while 16 MiB of answers to its owner are not read", () => {
    const taken = turns.sending("a", 17 * 1024 * 1024);
    expect(() => turns.admit("a", reply)).toThrow("are not read");
    expect(turns.admit("b", reply)).toBeUndefined();
    taken();
    expect(turns.admit("a", reply)).toBeUndefined();
  });
});

describe("turns", () => {
  it("go round between owners, however many slices one of them has", async () => {
    const done: string[] = [];
    await Promise.all([...Array.from({ length: 3 }, () => work("a", [1, 1], done)), work("b", [1, 1], done)]);
    expect(done.slice(0, 4).toSorted()).toEqual(["a", "a", "b", "b"]);
    expect(done).toHaveLength(8);
  });

  it("go to answers that have begun before further requests of the same owner", async () => {
    const done: string[] = [];
    spend("a", 300);
    const request = turns.admit("a", reply)?.then(() => done.push("request"));
    await Promise.all([request, work("a", [1, 1, 1], done)]);
    expect(done).toEqual(["a", "a", "a", "request"]);
  });

  it("end with 2 ms in one iteration of the loop", async () => {
    const done: string[] = [];
    const all = Promise.all(Array.from({ length: 6 }, (_, at) => work(`owner ${at}`, [1], done)));
    await iteration();
    expect(done).toHaveLength(2);
    await iteration();
    expect(done).toHaveLength(4);
    await all;
  });

  it("are booked on their owner, with what their promises do", async () => {
    const slice = async () => {
      await turns.next("a");
      await Promise.resolve();
      used += 300;
    };
    await slice();
    await iteration();
    expect(turns.admit("a", reply)).toBeInstanceOf(Promise);
    expect(turns.admit("b", reply)).toBeUndefined();
  });

  it("have a fifth of the time while requests of other owners come, and all of it a tenth of a second later", async () => {
    const done: string[] = [];
    const all = work("a", [2, 2, 2, 2, 2, 2], done);
    expect(turns.admit("b", reply)).toBeUndefined();
    await iteration();
    expect(done).toHaveLength(1);
    await iteration();
    expect(done).toHaveLength(1);
    await clock.advance(7);
    await iteration();
    expect(done).toHaveLength(1);
    await clock.advance(1);
    await iteration();
    expect(done).toHaveLength(2);
    await clock.advance(100);
    await all;
  });

  it("have all of the time while only owners send requests that wait for turns themselves", async () => {
    const done: string[] = [];
    expect(turns.admit("a", reply)).toBeUndefined();
    await work("a", [2, 2, 2], done);
    expect(done).toHaveLength(3);
  });
});
