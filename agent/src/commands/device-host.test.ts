/** What a driver pushes, on its way into the hub's own store: judged by the description, kept once, in order. */
import { seededRandom, silentLog } from "@porchlight/shared/kernel";
import { standardProperty } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import type { State } from "../state/index.ts";
import { Disk, device, on, pending, pressed } from "../state/state.fixture.ts";
import { DeviceHost, type DeviceHostDeps } from "./device-host.ts";
import { life } from "./life.fixture.ts";

/** A host over a real store, with a device whose button can only notify. */
async function hostOf(disk: Disk, report?: (state: State) => State["report"]) {
  const hub = life(disk);
  const { clock, state, availability, doubts } = hub;
  const store: DeviceHostDeps["state"] = {
    arrive: (live) => state.arrive(live),
    leave: (edgeId) => state.leave(edgeId),
    report: report?.(state) ?? ((observed, source) => state.report(observed, source)),
    repeat: (observed) => state.repeat(observed),
    learn: (observed, cause) => state.learn(observed, cause),
    learnRetained: (observed) => state.learnRetained(observed),
    forgetReports: (node) => state.forgetReports(node),
    hasRoomFor: (edgeId) => state.hasRoomFor(edgeId),
    devices: () => state.devices(),
  };
  const host = DeviceHost.start({
    ...{ clock, state: store, availability, doubts, absentMs: 15_000, log: silentLog, random: seededRandom(1) },
  });
  expect(host.arrived(device())).toBe("admitted");
  await clock.advance(100);
  const records = () => pending(state);
  return { ...hub, host, records };
}

describe("what a driver pushes", () => {
  test("is stored, an equal value once and an equal event each time", async () => {
    using disk = new Disk();
    const { host, clock, records } = await hostOf(disk);
    const pushed = [on(true), on(true), pressed(), pressed()];
    const results = Promise.all(pushed.map((observed) => host.pushed(observed)));
    await clock.advance(1_000);
    expect(await results).toEqual(["stored", "stored", "stored", "stored"]);
    const of = (property: string) => records().filter((record) => "property" in record && record.property === property);
    expect([of("on").length, of("event").length]).toEqual([1, 2]);
    host[Symbol.dispose]();
  });

  test.for(["a\0", "\ud800"])("is refused when its text is %j, which no store keeps", async (value) => {
    using disk = new Disk();
    const { host, records } = await hostOf(disk);
    expect(await host.pushed({ ...pressed(), value })).toBe("refused");
    expect(records().filter(({ kind }) => kind === "value")).toEqual([]);
    host[Symbol.dispose]();
  });

  test("is confirmed in memory when it is repeated, and written once a minute", async () => {
    using disk = new Disk();
    const { host, clock, state, records } = await hostOf(disk);
    const push = async () => {
      const pushed = host.pushed(on(true));
      await clock.advance(100);
      expect(await pushed).toBe("stored");
    };
    await push();
    const [before, first] = [records().length, state.value(on(true))?.observedAt ?? 0];
    await clock.advance(9000);
    await push();
    // The first was committed with its group, 50 ms after it came; the second is only remembered.
    expect(state.value(on(true))?.observedAt).toBe(first + 9050);
    expect(records().length).toBe(before);
    await clock.advance(60_000);
    await push();
    expect(records().length).toBe(before + 1);
    host[Symbol.dispose]();
  });

  test("of a share that exceeds its range by rounding is the end of the range, and further outside no value", async () => {
    using disk = new Disk();
    const { host, clock, state } = await hostOf(disk);
    const [level] = [standardProperty("LightLevel", "level")];
    const description = [{ service: "LightLevel", index: "0", properties: level ? [level] : [] }];
    host.described({ ...device(), description });
    const target = { device: device().edgeId, service: "LightLevel", index: "0", property: "level" };
    for (const [value, stored] of [
      [255 / 2.54, 100],
      [40, 40],
      [25_801, null],
      [-20, null],
    ] as const) {
      const pushed = Promise.all([host.pushed({ ...target, value }), host.learned({ ...target, value })]);
      await clock.advance(1000);
      await pushed;
      expect(state.value(target)?.value).toBe(stored);
    }
    host[Symbol.dispose]();
  });

  test("is refused of a property that the device does not have, of another type, and of a device that is not there", async () => {
    using disk = new Disk();
    const { host } = await hostOf(disk);
    expect(await host.pushed({ ...on(true), property: "colour" })).toBe("refused");
    expect(await host.pushed({ ...on(true), value: "yes" })).toBe("refused");
    expect(await host.pushed({ ...on(true), device: "02-00-00-00-00-99" })).toBe("refused");
    host[Symbol.dispose]();
  });

  test("is answered as the store says when the hub stops while it is stored", async () => {
    using disk = new Disk();
    const held = Promise.withResolvers<void>();
    const { host } = await hostOf(disk, (state) => async (observed, source) => {
      const result = await state.report(observed, source);
      await held.promise;
      return result;
    });
    const [first, second] = [host.pushed(pressed()), host.pushed(pressed("release"))];
    host[Symbol.dispose]();
    expect(await second).toBe("busy");
    held.resolve();
    await disk.done(first);
    expect(await first).toBe("stored");
  });
});
