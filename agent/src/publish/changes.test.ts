import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { StateListener } from "../state/index.ts";
import { Disk, device, level, on, pressed } from "../state/state.fixture.ts";
import { Changes } from "./publisher.ts";

async function following(disk: Disk) {
  const state = disk.open();
  await disk.done(state.arrive(device()));
  const notified: unknown[] = [];
  const changes = new Changes({
    state,
    devices: () => notified.push("devices"),
    reported: ({ property }, value) => notified.push([property, value]),
  });
  return { state, notified, changes };
}

test("every stored value and event is notified once, in order, also hundreds in one commit", async () => {
  using disk = new Disk();
  const { state, notified } = await following(disk);
  const stored = Array.from({ length: 700 }, (_, seq) => state.report(pressed(), { node: "n", boot: 1, seq }));
  await disk.done(Promise.all(stored));
  await disk.report(state, level(3));
  await settle();
  expect(notified).toEqual([...Array.from({ length: 700 }, () => ["event", "press"]), ["level", 3]]);
});

test("a command's value is notified, and a failed command notifies nothing", async () => {
  using disk = new Disk();
  const { state, notified } = await following(disk);
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
  expect(notified).toEqual([["on", true]]);
});

test("values that were stored before are not notified, and devices that come and go are", async () => {
  using disk = new Disk();
  const { state, notified } = await following(disk);
  await disk.done(state.leave(device().edgeId));
  await settle();
  expect(notified).toEqual(["devices"]);
});

test("nothing is read after its end, also not for a commit that was made right before", () => {
  // Listeners are notified of a commit a moment later, when the database may be closed.
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
  const changes = new Changes({ state, devices: () => undefined, reported: () => undefined });
  expect(() => listeners[0]?.records()).toThrow("the database is closed");
  changes[Symbol.dispose]();
  expect(() => listeners[0]?.records()).not.toThrow();
});
