import { seededRandom, settle, silentLog } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import type { State } from "../state/index.ts";
import { BUTTON, Disk, device, LAMP, level, on, pressed } from "../state/state.fixture.ts";
import type { CommandsDeps } from "./commands.ts";
import { DeviceHost } from "./device-host.ts";
import { life } from "./life.fixture.ts";

const SILENCE = { kind: "failed", name: "Device Unreachable", outcome: "unknown", detail: "silence" } as const;
const NEVER = { kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "not readable" } as const;

/** A hub whose lamp has a description. */
async function hubOf(disk: Disk, change?: (state: State) => CommandsDeps["state"]) {
  const hub = life(disk, undefined, change);
  await disk.done(hub.state.arrive(device()));
  const reads = () => hub.driver.touches.filter(({ what }) => what === "read").map(({ property }) => property);
  return { ...hub, reads };
}

/** After each second in which the property was read. */
async function secondsOfReads(hub: Awaited<ReturnType<typeof hubOf>>, seconds: number): Promise<number[]> {
  const at: number[] = [];
  for (let second = 1; second <= seconds; second++) {
    const before = hub.reads().length;
    await hub.clock.advance(1000);
    if (hub.reads().length > before) at.push(second);
  }
  return at;
}

describe("a value that is not known", () => {
  test("after a write of unknown outcome is read after a second, then ever more rarely, until the device has answered", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    hub.driver.values.set(`${LAMP} on`, true);
    hub.driver.next.push(...Array(8).fill(SILENCE));
    expect(await hub.set("cmd_1", true)).toMatchObject({ outcome: "unknown" });
    expect(await secondsOfReads(hub, 200)).toEqual([1, 3, 7, 15, 31, 61, 91, 121]);
    expect(hub.state.value(on(true))?.value).toBe(true);
  });

  test("is read until the hub's disk takes it", async () => {
    using disk = new Disk();
    let isFull = true;
    const hub = await hubOf(disk, (state) => ({
      entry: (id) => state.entry(id),
      value: (target) => state.value(target),
      device: (edgeId) => state.device(edgeId),
      begin: (request) => state.begin(request),
      refuse: (request, end) => state.refuse(request, end),
      end: (end) => state.end(end),
      learn: (observed, cause) => (isFull ? Promise.reject(new Error("disk full")) : state.learn(observed, cause)),
    }));
    hub.driver.values.set(`${LAMP} level`, 7);
    const [read] = await hub.commands.read([level(0)], hub.permit());
    expect(read).toMatchObject({ failure: { detail: expect.stringContaining("cannot store") } });
    await hub.clock.advance(5000);
    expect(hub.state.value(level(0))).toBeUndefined();
    isFull = false;
    await hub.clock.advance(5000);
    expect(hub.state.value(level(0))?.value).toBe(7);
  });

  test("is not read any more once it was confirmed, or read for another caller", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    hub.doubts.raise(on(true));
    hub.doubts.raise(level(1));
    await hub.set("cmd_1", true);
    await disk.done(hub.commands.read([level(1)], hub.permit()));
    const before = hub.reads();
    await hub.clock.advance(60_000);
    expect(hub.reads()).toEqual(before);
  });

  test("is not known by what was asked before it was in doubt", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    hub.driver.hold();
    const read = hub.commands.read([on(true)], hub.permit());
    await settle();
    hub.doubts.raise(on(true));
    hub.driver.release();
    await disk.done(read);
    expect(hub.reads()).toHaveLength(1);
    await hub.clock.advance(1500);
    expect(hub.reads()).toHaveLength(2);
  });

  test("is read a second after the device is back, and not while it is away", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    hub.driver.live.clear();
    hub.doubts.raise(on(true));
    await hub.clock.advance(100_000);
    expect(hub.reads()).toEqual([]);
    hub.driver.live.add(LAMP);
    hub.doubts.arrived(LAMP);
    expect(await secondsOfReads(hub, 3)).toEqual([1]);
  });

  test("is read a second later also when the device has come back while it was read in vain", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    hub.doubts.raise(on(true));
    hub.driver.next.push(SILENCE);
    hub.driver.hold();
    await hub.clock.advance(1000);
    hub.doubts.arrived(LAMP);
    hub.driver.release();
    expect(await secondsOfReads(hub, 3)).toEqual([1]);
  });

  test("is not read again when the driver that could not read it has read it after all", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    using host = DeviceHost.start({ ...hub, random: seededRandom(1), log: silentLog, absentMs: 15_000 });
    for (const { service, index, property } of [on(true), level(1)]) host.unread(LAMP, { service, index, property });
    await disk.done(host.learned(on(true)));
    await hub.clock.advance(1000);
    expect(hub.reads()).toEqual(["level"]);
  });

  test("after a write of unknown outcome is read although its driver has learned a value: that may have been read before", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    using host = DeviceHost.start({ ...hub, random: seededRandom(1), log: silentLog, absentMs: 15_000 });
    hub.driver.next.push(SILENCE);
    expect(await hub.set("cmd_1", true)).toMatchObject({ outcome: "unknown" });
    const { service, index, property } = on(true);
    host.unread(LAMP, { service, index, property });
    await disk.done(host.learned(on(true)));
    await hub.clock.advance(1000);
    expect(hub.reads()).toEqual(["on"]);
  });

  test("is left alone when it cannot be read: by its description, by the device's own word, or of an unknown device", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    hub.driver.next.push(NEVER);
    for (const target of [pressed(), on(true, BUTTON), level(1)]) hub.doubts.raise(target);
    await hub.clock.advance(300_000);
    expect(hub.reads()).toEqual(["level"]);
  });

  test("is not asked for by an agent that has ended", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    hub.doubts.raise(on(true));
    hub.doubts[Symbol.dispose]();
    hub.doubts.raise(level(1));
    await hub.clock.advance(60_000);
    expect(hub.reads()).toEqual([]);
  });

  test("is raised by a driver that could not read it, and by one whose reading could not be stored", async () => {
    using disk = new Disk();
    const hub = await hubOf(disk);
    const { clock, availability, doubts } = hub;
    const refused = () => Promise.reject(new Error("disk full"));
    const none = { hasRoomFor: () => true, devices: () => [], repeat: () => false };
    const stored = { arrive: refused, leave: refused, report: refused, learn: refused, learnRetained: refused };
    const state = { ...none, ...stored, forgetReports: refused };
    using host = DeviceHost.start({
      random: seededRandom(1),
      ...{ clock, state, availability, doubts, absentMs: 15_000 },
      log: silentLog,
    });
    host.unread(LAMP, { service: "LightLevel", index: "0", property: "level" });
    await expect(host.learned(on(true))).rejects.toThrow("disk full");
    await clock.advance(1500);
    expect(hub.reads().sort()).toEqual(["level", "on"]);
  });
});
