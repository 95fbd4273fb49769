/** How far the two searches go: through slices, up to a bound, and they say when that was reached. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Home, HUE, obey, value } from "../devices/devices.fixture.ts";
import { newestCommands } from "./explain.ts";
import { lastChange } from "./last-change.ts";

const ADDRESS = { service: HUE.service, index: HUE.index, property: HUE.property };

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

async function place() {
  return { ecosystemId: home.client.ecosystemId, deviceId: await home.deviceId() };
}

describe("the newest commands to a property", () => {
  it("are found behind those of others, slice by slice, and no further than the bound", async () => {
    const hub = await home.lampHub();
    let n = 0;
    hub.answers.command = (params: never) => obey(++n)(params);
    await home.set(1);
    await home.set(2);
    for (let other = 0; other < 5; other++) await home.set(other, { selector: "LightColor.saturation" });
    const { clock, store } = home.testNode;
    const bounds = { since: clock.now() - 1000, until: clock.now(), most: 5 };
    const at = { ...(await place()), ...ADDRESS };
    const search = async (limits: { slice: number; most: number }) => {
      const { rows, isCut } = await newestCommands(store.of(at.ecosystemId).sql, at, bounds, limits);
      return [rows.map((row) => row.value), isCut];
    };
    for (const slice of [1, 2, 7, 100]) expect(await search({ slice, most: 100 })).toEqual([["2", "1"], false]);
    expect(await search({ slice: 2, most: 6 })).toEqual([["2"], true]);
    expect(await search({ slice: 2, most: 4 })).toEqual([[], true]);
    const one = { ...bounds, most: 1 };
    expect((await newestCommands(store.of(at.ecosystemId).sql, at, one)).rows).toMatchObject([{ value: "2" }]);
  });
});

describe("the change that made a value", () => {
  it("is the last one of the second in which the value changed, and of no other property", async () => {
    const hub = await home.lampHub();
    const now = home.testNode.clock.now();
    const target = { ...HUE, property: "saturation" };
    await home.records(hub, value(1, 10, HUE, now), value(2, 20, HUE, now), value(3, 30, target, now));
    const found = await lastChange(home.testNode.store, await place(), ADDRESS, now);
    expect(found).toMatchObject({ kind: "found", change: { previousValue: 10, cause: { kind: "device" } } });
  });

  it("that is further away than one question looks is called missing", async () => {
    const hub = await home.lampHub();
    const now = home.testNode.clock.now();
    for (let n = 1; n < 9; n++) await home.records(hub, value(n, n, { ...HUE, property: "saturation" }, now));
    await home.records(hub, value(9, 1, HUE, now));
    const search = async (most: number) =>
      (await lastChange(home.testNode.store, await place(), ADDRESS, now, { slice: 2, most })).kind;
    expect([await search(100), await search(4)]).toEqual(["found", "missing"]);
  });

  it("of a value of unknown age is the newest event without a time", async () => {
    const hub = await home.lampHub();
    await home.records(hub, { ...value(1, 10, HUE, -1), cause: "read" });
    expect(await lastChange(home.testNode.store, await place(), ADDRESS, -1)).toMatchObject({
      kind: "found",
      change: { cause: { kind: "refresh" } },
    });
  });
});
