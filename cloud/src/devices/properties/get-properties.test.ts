/** Reading properties: from the cache without touching a hub, and from the devices themselves (A3). */
import type { NamedError } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newKey, type ScriptedHub } from "../../tunnels/tunnels.fixture.ts";
import { BUTTON, Home, LAMP, LAMP_SERVICES, silence, value } from "../devices.fixture.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

type Items = { readonly items: readonly { readonly device: string; readonly property: string }[] };

/** Answers every read with numbers from `n` on, and the value for each property. */
function reads(hub: ScriptedHub, n: number, values: Record<string, unknown>): void {
  let next = n;
  hub.answers.read = ({ items }: Items) => ({
    items: items.map(({ property }) =>
      property in values
        ? { n: next++, value: values[property], observedAt: home.testNode.clock.now() }
        : { failure: { name: "Device Unreachable", detail: "asleep" } },
    ),
  });
}

const refresh = async (selector: string, more: Record<string, unknown> = {}) =>
  home.devices.refreshed(home.everywhere, { selector, waitMs: 10_000, tokenId: "tok_1", ...more });
const refreshLamp = async (selector: string, more: Record<string, unknown> = {}) =>
  home.devices.refreshed(await home.scope(), { selector, waitMs: 10_000, tokenId: "tok_1", ...more });
const nameOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "read",
    (error: NamedError) => error.name,
  );

describe("from the cache", () => {
  it.each([
    ["LightColor", [120, 80]],
    ["LightColor.hue", [120]],
    ["LightColor:0.hue", [120]],
    ["LightColor:1.hue", []],
    ["LightColor.kelvin", []],
    ["Fan", []],
    ["Light Color", []],
    ["", []],
  ])("%j is %j", async (selector, expected) => {
    const hub = await home.lampHub();
    await home.records(
      hub,
      value(1, 120),
      value(2, 80, { device: LAMP, service: "LightColor", index: "0", property: "saturation" }),
    );
    expect(await home.cached(selector)).toEqual(expected);
    expect(await home.cached(selector, await home.scope())).toEqual(expected);
    expect(hub.asked).toEqual([]);
  });

  it("touches no database once the environment is in memory", async () => {
    const hub = await home.lampHub();
    await home.cached("LightColor");
    const { of } = home.testNode.store;
    home.testNode.store.of = () => {
      throw new Error("the database was asked");
    };
    await home.records(hub, value(1, 120));
    expect(await home.cached("LightColor.hue")).toEqual([120]);
    home.testNode.store.of = of;
  });

  it("has each change in the answer that was given before it", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 120));
    expect([await home.cached("LightColor"), await home.cached("LightColor")]).toEqual([[120], [120]]);
    await home.records(hub, value(2, 121));
    expect(await home.cached("LightColor")).toEqual([121]);
    await home.records(
      hub,
      value(3, 80, { device: LAMP, service: "LightColor", index: "0", property: "saturation" }),
      value(4, null),
    );
    expect(await home.cached("LightColor")).toEqual([80]);
    const { ecosystemId, environmentId } = home.client;
    const state = await home.devices.environment(ecosystemId, environmentId);
    state.dropDevice(await home.deviceId());
    expect(await home.cached("LightColor")).toEqual([]);
  });

  it("has no item of a property without a value at present", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 120), value(2, null));
    expect(await home.cached("LightColor.hue")).toEqual([]);
  });

  it("serves what was stored before a restart", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 120));
    await home.restart();
    expect(await home.cached("LightColor.hue")).toEqual([120]);
  });
});

describe("a refresh", () => {
  it("reads every property that the selector matches, stores it and publishes the changes", async () => {
    const hub = await home.lampHub();
    reads(hub, 1, { hue: 30, saturation: 40 });
    expect(await refreshLamp("LightColor")).toMatchObject({
      items: [
        { property: "hue", value: 30 },
        { property: "saturation", value: 40 },
      ],
    });
    expect(await home.cached("LightColor")).toEqual([30, 40]);
    expect(await home.changes()).toEqual(["hue=30 refresh", "saturation=40 refresh"]);
  });

  it.each([
    ["Light Color", "Service Not Found"],
    ["Fan", "Service Not Found"],
    ["LightColor:1", "Service Not Found"],
    ["LightColor.kelvin", "Service Property Invalid"],
    ["Button.event", "Service Property Invalid"],
    ["Button", "read"],
  ])("of %j is %s", async (selector, expected) => {
    await home.lampHub();
    expect(await nameOf(refresh(selector))).toBe(expected);
  });

  it("holds only what was really read; the rest are failures with what was known", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 120));
    reads(hub, 2, { saturation: 40 });
    const answer = await refreshLamp("LightColor");
    expect(answer.items).toMatchObject([{ property: "saturation", value: 40 }]);
    expect(answer.failures).toMatchObject([
      {
        deviceId: await home.deviceId(),
        property: "hue",
        name: "Device Unreachable",
        detail: "asleep",
        lastKnown: { value: 120 },
      },
    ]);
  });

  it("of one device of which nothing could be read is the error itself", async () => {
    const hub = await home.lampHub();
    reads(hub, 1, {});
    expect(await nameOf(refreshLamp("LightColor"))).toBe("Device Unreachable");
    expect(await refresh("LightColor")).toMatchObject({
      items: [],
      failures: [{ property: "hue" }, { property: "saturation" }],
    });
  });

  it("with the hub offline is 503 with when it was last seen, and failures for an environment", async () => {
    (await home.lampHub()).cut();
    await home.settle();
    const error = await refreshLamp("LightColor").catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      name: "Hub Offline",
      retryAfter: 5,
      members: { lastSeenAt: "2026-01-01 00:00:00Z" },
    });
    expect((await refresh("LightColor.hue")).failures).toMatchObject([{ name: "Hub Offline" }]);
  });

  it("ends with the caller's time, and the hub stops before", async () => {
    const hub = await home.lampHub();
    hub.answers.read = silence;
    const reading = nameOf(refreshLamp("LightColor.hue", { waitMs: 4_000 }));
    await home.settle();
    expect(Number(hub.asked[0]?.params.deadline) - Number(hub.asked[0]?.params.at)).toBe(3_500);
    await home.testNode.advance(4_000);
    expect(await reading).toBe("Hub Timeout");
  });

  it("fails at once when the tunnel drops", async () => {
    const hub = await home.lampHub();
    hub.answers.read = silence;
    const reading = nameOf(refreshLamp("LightColor.hue"));
    await home.settle();
    hub.cut();
    expect(await reading).toBe("Hub Offline");
  });

  it("asks all hubs side by side", async () => {
    const first = await home.lampHub();
    const { ecosystemId, environmentId } = home.client;
    const clientId = home.testNode.ids.next("cli");
    await home.testNode.store.write(ecosystemId, async ({ build, change }) => {
      const place = { ecosystem_id: ecosystemId, id: clientId, environment_id: environmentId };
      await change(
        build
          .insertInto("objects")
          .values({ ...place, kind: "cli", alias: null, meta: "{}", version: 1, created_at: 0, gone_at: null }),
      );
      await change(build.insertInto("clients").values({ ...place, epoch: 0, position: 0, online: 0 }));
    });
    const other = { edgeId: "00-00-00-00-00-07", services: LAMP_SERVICES };
    const second = await home.hub([other], { edgeId: "02-00-00-00-00-09" }, { ...home.client, clientId }, newKey());
    first.answers.read = silence;
    reads(second, 1, { hue: 7 });
    const reading = refresh("LightColor.hue", { waitMs: 2_000 });
    await home.settle();
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
    await home.testNode.advance(2_000);
    expect(await reading).toMatchObject({ items: [{ value: 7 }], failures: [{ name: "Hub Timeout" }] });
  });

  it("with maxAge reads only what was not observed within that time", async () => {
    const hub = await home.lampHub();
    const { clock } = home.testNode;
    const saturation = { device: LAMP, service: "LightColor", index: "0", property: "saturation" };
    await home.records(hub, value(1, 10, undefined, clock.now()));
    await home.testNode.advance(30_000);
    await home.records(hub, value(2, 20, saturation, clock.now()));
    reads(hub, 3, { hue: 11, saturation: 21 });
    expect((await refreshLamp("LightColor", { maxAgeMs: 20_000 })).items.map((item) => item.value)).toEqual([11, 20]);
    expect(hub.asked.map(({ params }) => (params as Items).items.map(({ property }) => property))).toEqual([["hue"]]);
  });

  it("with maxAge lets the hub answer what its device has confirmed within that time", async () => {
    const hub = await home.lampHub();
    reads(hub, 1, { hue: 11 });
    await refreshLamp("LightColor.hue", { maxAgeMs: 5000 });
    await refreshLamp("LightColor.hue");
    expect(hub.asked.map(({ params }) => params.maxAge)).toEqual([5000, undefined]);
  });

  it("names a property whose device answers that it has no value", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 120));
    reads(hub, 2, { hue: null, saturation: 40 });
    const address = { service: "LightColor", index: "0", property: "hue" };
    expect(await refreshLamp("LightColor")).toMatchObject({
      items: [{ property: "saturation", value: 40 }],
      withoutValue: [{ deviceId: await home.deviceId(), ...address }],
    });
  });

  it("passes over a property that only notifies in a whole class", async () => {
    await home.lampHub();
    expect(
      await home.devices.refreshed(await home.scope(BUTTON), { selector: "Button", waitMs: 1_000, tokenId: "tok_1" }),
    ).toEqual({ items: [] });
  });
});

describe("refreshes under way at the same time", () => {
  const held = async () => {
    const hub = await home.lampHub();
    const answer = Promise.withResolvers<unknown>();
    hub.answers.read = () => answer.promise;
    const release = (hue: number) => answer.resolve({ items: [{ n: 1, value: hue, observedAt: 0 }] });
    return { hub, release };
  };

  it("share one read of the device", async () => {
    const { hub, release } = await held();
    const readings = [refreshLamp("LightColor.hue"), refresh("LightColor.hue"), refreshLamp("LightColor:0.hue")];
    await home.settle();
    expect(hub.asked).toHaveLength(1);
    release(33);
    for (const answer of await Promise.all(readings)) expect(answer.items).toMatchObject([{ value: 33 }]);
    expect(await home.changes()).toEqual(["hue=33 refresh"]);
  });

  it("cancel on the hub the reads without a waiting caller, and no others", async () => {
    const { hub, release } = await held();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = refreshLamp("LightColor.hue", { signal: one.signal }).catch(() => "left");
    const second = refreshLamp("LightColor.hue", { signal: two.signal }).catch(() => "left");
    const third = refreshLamp("Switch.on", { signal: two.signal }).catch(() => "left");
    await home.settle();
    one.abort();
    await home.settle();
    const cancelled = () => hub.notified.filter(({ method }) => method === "cancel").map(({ params }) => params.id);
    expect(cancelled()).toEqual([]);
    two.abort();
    await Promise.all([first, second, third]);
    await home.settle();
    expect(cancelled().sort()).toEqual(hub.asked.map(({ id }) => id).sort());
    release(1);
  });

  it("do not join one whose time is nearly over", async () => {
    const { hub } = await held();
    const short = nameOf(refreshLamp("LightColor.hue", { waitMs: 1_000 }));
    await home.settle();
    const long = nameOf(refreshLamp("LightColor.hue", { waitMs: 20_000 }));
    await home.settle();
    expect(hub.asked).toHaveLength(2);
    await home.testNode.advance(20_000);
    expect([await short, await long]).toEqual(["Hub Timeout", "Hub Timeout"]);
  });
});
