import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import type { State } from "../state/index.ts";
import { Disk, device, LAMP, on, pending } from "../state/state.fixture.ts";
import { Overloaded } from "./command-ends.ts";
import type { CommandsDeps } from "./commands.ts";
import { life } from "./life.fixture.ts";

const FULL = () => Promise.reject(new Error("disk full"));

/** A hub whose disk takes nothing of commands while it is full, and can be read all the time. */
function hubOf(disk: Disk, limits?: CommandsDeps["limits"]) {
  const room = { isFull: false };
  const change = (state: State): CommandsDeps["state"] => ({
    entry: (id) => state.entry(id),
    value: (target) => state.value(target),
    device: (edgeId) => state.device(edgeId),
    begin: (request) => (room.isFull ? FULL() : state.begin(request)),
    refuse: (request, end) => (room.isFull ? FULL() : state.refuse(request, end)),
    end: (end) => (room.isFull ? FULL() : state.end(end)),
    learn: (observed, cause) => (room.isFull ? FULL() : state.learn(observed, cause)),
  });
  return { room, ...life(disk, limits, change) };
}

describe("what the disk did not take of a command", () => {
  test("that was refused is in the journal and in the history as soon as the disk takes it, and is refused all the while", async () => {
    using disk = new Disk();
    const hub = hubOf(disk);
    hub.room.isFull = true;
    const refused = await hub.set("cmd_1", true);
    expect(refused).toMatchObject({ outcome: "not_applied", n: 0 });
    await hub.clock.advance(10_000);
    expect(hub.state.entry("cmd_1")).toBeUndefined();
    hub.room.isFull = false;
    expect(await hub.set("cmd_1", true)).toEqual(refused);
    await hub.clock.advance(2000);
    const written = { ...refused, n: 1 };
    expect(pending(hub.state)).toEqual([written]);
    hub.state.kill();
    const again = life(disk);
    expect(await again.set("cmd_1", true)).toEqual(written);
    expect([...hub.driver.touches, ...again.driver.touches]).toEqual([]);
  });

  test("that was confirmed is written without its value, which is read", async () => {
    using disk = new Disk();
    const hub = hubOf(disk);
    await disk.done(hub.state.arrive(device()));
    hub.driver.hold();
    const answer = hub.set("cmd_1", true);
    await settle();
    hub.room.isFull = true;
    hub.driver.release();
    await expect(answer).rejects.toThrow("disk full");
    expect(await hub.set("cmd_1", true)).toMatchObject({ outcome: "unknown", n: 0 });
    await hub.clock.advance(10_000);
    hub.room.isFull = false;
    hub.driver.values.set(`${LAMP} on`, false);
    await hub.clock.advance(5000);
    const entry = hub.state.entry("cmd_1");
    expect(entry).toMatchObject({ kind: "ended", result: { outcome: "confirmed", requested: true } });
    expect(entry?.kind === "ended" && "value" in entry.result).toBe(false);
    expect(hub.state.value(on(true))?.value).toBe(false);
    expect(hub.driver.touches.filter(({ what }) => what === "write")).toHaveLength(1);
  });

  test("is written in its order when there is much of it", async () => {
    using disk = new Disk();
    const hub = hubOf(disk);
    hub.room.isFull = true;
    for (let count = 0; count < 20; count++) await hub.set(`cmd_${count}`, true);
    hub.room.isFull = false;
    await hub.clock.advance(2000);
    expect(pending(hub.state).map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });
});

test("a command that was begun and is asked for again, while too much waits and the disk takes nothing, is unknown and not refused", async () => {
  using disk = new Disk();
  const hub = hubOf(disk, { total: 1, perDevice: 1, waiting: 2 });
  hub.driver.hold();
  const begun = hub.set("cmd_1", true);
  const waiting = hub.set("cmd_2", true);
  await settle();
  expect(hub.driver.touches).toHaveLength(1);
  hub.room.isFull = true;
  expect(await hub.set("cmd_1", true)).toMatchObject({ outcome: "unknown", n: 0 });
  hub.room.isFull = false;
  hub.driver.release();
  expect(await begun).toMatchObject({ outcome: "confirmed" });
  expect(await waiting).toMatchObject({ outcome: "confirmed" });
  expect(await hub.set("cmd_1", true)).toMatchObject({ outcome: "confirmed" });
});

test("refusals that the disk does not take are kept up to a bound, and no command beyond it is refused or begun", async () => {
  using disk = new Disk();
  const hub = hubOf(disk);
  hub.room.isFull = true;
  const large = "x".repeat(16_000);
  const most = Math.floor((4 * 1024 * 1024) / 16_002);
  const first = await Promise.all(Array.from({ length: most }, (_, at) => hub.set(`cmd_${at}`, large)));
  expect(new Set(first.map(({ outcome }) => outcome))).toEqual(new Set(["not_applied"]));
  await expect(hub.set("cmd_more", large)).rejects.toThrow(Overloaded);
  expect(await hub.set("cmd_0", large)).toEqual(first[0]);
  hub.room.isFull = false;
  await hub.clock.untilSo(() => hub.state.entry(`cmd_${most - 1}`) !== undefined);
  expect(await hub.set("cmd_more", true)).toMatchObject({ outcome: "confirmed" });
  expect(await hub.set("cmd_0", true)).toMatchObject({ outcome: "not_applied" });
  expect(hub.driver.touches).toHaveLength(1);
});
