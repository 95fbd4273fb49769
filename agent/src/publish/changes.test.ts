import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { StateListener } from "../state/index.ts";
import { Disk, device, level, on, pressed } from "../state/state.fixture.ts";
import { Changes } from "./publisher.ts";

async function following(disk: Disk) {
  const state = disk.open();
  await disk.done(state.arrive(device()));
  const told: unknown[] = [];
  const changes = new Changes({
    state,
    devices: () => told.push("devices"),
    told: ({ property }, value) => told.push([property, value]),
  });
  return { state, told, changes };
}

test("every value and event that is stored is told once, in order, also hundreds in one commit", async () => {
  using disk = new Disk();
  const { state, told } = await following(disk);
  const stored = Array.from({ length: 700 }, (_, seq) => state.report(pressed(), { node: "n", boot: 1, seq }));
  await disk.done(Promise.all(stored));
  await disk.report(state, level(3));
  await settle();
  expect(told).toEqual([...Array.from({ length: 700 }, () => ["event", "press"]), ["level", 3]]);
});

test("a command's value is told, and of one that failed there is nothing to tell", async () => {
  using disk = new Disk();
  const { state, told } = await following(disk);
  for (const [id, outcome] of [
    ["cmd_1", "confirmed"],
    ["cmd_2", "rejected"],
  ] as const) {
    await state.begin({ id, ...on(true) });
    const { value, ...target } = on(true);
    const end = { command: id, ...target, requested: value, outcome, observedAt: 1 };
    await state.end(outcome === "confirmed" ? { ...end, value } : end);
  }
  await settle();
  expect(told).toEqual([["on", true]]);
});

test("what has been stored before is not told, and devices that come and go are", async () => {
  using disk = new Disk();
  const { state, told } = await following(disk);
  await disk.done(state.leave(device().edgeId));
  await settle();
  expect(told).toEqual(["devices"]);
});

test("nothing is read after its end, also not for a commit that was made right before", () => {
  // Who listens is told of a commit a moment later, when the database may be closed.
  const listeners: StateListener[] = [];
  const state = {
    lastNumber: 0,
    listen: (listener: StateListener) => {
      listeners.push(listener);
      return () => undefined;
    },
    pending: () => {
      throw new Error("the database is closed");
    },
    home: { listenToNames: () => () => undefined },
  };
  const changes = new Changes({ state, devices: () => undefined, told: () => undefined });
  expect(() => listeners[0]?.records()).toThrow("the database is closed");
  changes[Symbol.dispose]();
  expect(() => listeners[0]?.records()).not.toThrow();
});
