/** IDs: TypeIDs as the specification has them, checked against an implementation that is not ours. */
import { TypeID } from "typeid-js";
import { expect, test } from "vitest";
import { firstIdOf, ID_KINDS, IdMaker, idPrefix, isId, seededRandom, systemRandom } from "./ids.ts";
import { type Clock, systemClock } from "./time/clock.ts";
import { VirtualClock } from "./time/virtual-clock.ts";

const maker = () => new IdMaker(new VirtualClock(Date.UTC(2026, 10, 21)), seededRandom(1));

/** 48 bits of time, ms, of an ID, as another implementation reads it. */
function timeOf(id: string): number {
  return Number.parseInt(TypeID.fromString(id).toUUID().replaceAll("-", "").slice(0, 12), 16);
}

test("every kind of the API contract has its prefix", () => {
  expect(ID_KINDS).toEqual({
    acc: "account",
    eco: "ecosystem",
    env: "environment",
    zon: "zone",
    scn: "scene",
    dev: "device",
    usr: "user",
    srv: "server",
    cli: "client",
    whk: "webhook",
    tok: "token",
    cmd: "command",
    evt: "event",
    dlv: "delivery",
    acs: "access entry",
    alt: "alert",
    // What one can look up and not name in a request.
    aud: "audit entry",
    req: "request",
    exp: "export",
  });
});

test("an ID is read by typeid-js as a UUIDv7 of the millisecond in which it was made", () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 21, 12, 34, 56, 789));
  const id = new IdMaker(clock, systemRandom).next("dev");
  const read = TypeID.fromString(id, "dev");
  expect(read.toString()).toBe(id);
  expect(read.toUUID()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(timeOf(id)).toBe(clock.now());
});

test("what typeid-js makes of any 128 bits is what we make of them", () => {
  const ids = maker();
  for (let round = 0; round < 500; round++) {
    const id = ids.next("env");
    expect(TypeID.fromUUID("env", TypeID.fromString(id).toUUID()).toString()).toBe(id);
  }
});

test("IDs sort in the order in which they were made, within a millisecond too, and are never made twice", () => {
  const ids = maker();
  const made = Array.from({ length: 20_000 }, () => ids.next("evt"));
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test("IDs keep their order when the wall clock jumps back, and follow it when it goes on", async () => {
  const clock = new VirtualClock();
  const ids = new IdMaker(clock, seededRandom(2));
  const made: string[] = [];
  for (const jump of [0, 10, -3_600_000, 0, 3_600_000, 5]) {
    clock.jumpWall(jump);
    made.push(ids.next("cmd"), ids.next("cmd"));
  }
  expect(made.toSorted()).toEqual(made);
  expect(timeOf(made.at(-1) ?? "")).toBe(clock.now());
});

test("IDs keep their order on a clock that counts parts of a millisecond", () => {
  let now = 1_000;
  const clock: Clock = { ...systemClock, now: () => now };
  const ids = new IdMaker(clock, seededRandom(3));
  const made = Array.from({ length: 1_000 }, () => {
    now += 0.013;
    return ids.next("evt");
  });
  expect(made.toSorted()).toEqual(made);
});

test.for([
  ["dev_01h455vb4pex5vsknk084sn02q", "dev"],
  ["dev_00000000000000000000000000", "dev"],
  ["dev_7zzzzzzzzzzzzzzzzzzzzzzzzz", "dev"],
  ["dev_8zzzzzzzzzzzzzzzzzzzzzzzzz", undefined],
  ["dev_01h455vb4pex5vsknk084sn02", undefined],
  ["dev_01h455vb4pex5vsknk084sn02qq", undefined],
  ["dev_01H455VB4PEX5VSKNK084SN02Q", undefined],
  ["dev_01h455vb4pex5vsknk084sn02u", undefined],
  ["dev_01h455vb4pex5vsknk084sn02i", undefined],
  ["dev_01h455vb4pex5vsknk084sn02q\n", undefined],
  ["dev-01h455vb4pex5vsknk084sn02q", undefined],
  ["abc_01h455vb4pex5vsknk084sn02q", undefined],
  ["toString", undefined],
  ["", undefined],
])("%j has the prefix %s", ([text, prefix]) => {
  expect(idPrefix(text ?? "")).toBe(prefix);
});

test("an ID of one kind is none of another", () => {
  const id = maker().next("zon");
  expect([isId("zon", id), isId("dev", id)]).toEqual([true, false]);
});

test("IDs tell which were made before a time", async () => {
  const clock = new VirtualClock();
  const ids = new IdMaker(clock, seededRandom(5));
  const older = ids.next("cmd");
  await clock.advance(1);
  const first = firstIdOf("cmd", clock.now());
  const younger = ids.next("cmd");
  expect([first, younger, older].toSorted()).toEqual([older, first, younger]);
  expect(isId("cmd", first)).toBe(true);
  expect(firstIdOf("cmd", -5)).toBe(firstIdOf("cmd", 0));
});

test("IDs sort after those of an earlier maker, though the clock was set back or has not moved", async () => {
  const clock = new VirtualClock(1_000_000);
  const earlier = new IdMaker(clock, seededRandom(5));
  const last = Array.from({ length: 300 }, () => earlier.next("cmd")).at(-1) ?? earlier.next("cmd");
  for (const now of [1_000_000, 990_000, 1_000_001]) {
    const ids = new IdMaker(new VirtualClock(now), seededRandom(6));
    ids.passOver(last);
    const made = [last, ids.next("cmd"), ids.next("cmd")];
    expect(made.toSorted()).toEqual(made);
  }
});

test("an old ID holds nothing up", async () => {
  const clock = new VirtualClock(1_000_000);
  const old = new IdMaker(clock, seededRandom(5)).next("cmd");
  await clock.advance(50);
  const ids = new IdMaker(clock, seededRandom(6));
  const before = ids.next("cmd");
  ids.passOver(old);
  const after = ids.next("cmd");
  expect([old, before, after].toSorted()).toEqual([old, before, after]);
  expect(timeOf(after)).toBe(clock.now());
});
