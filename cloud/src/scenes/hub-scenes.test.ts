/** What a hub receives of its scenes (T2.6): when something has changed, and nothing when nothing has. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LAMP } from "../devices/devices.fixture.ts";
import { LAMP_2, SceneHome } from "./scene-home.fixture.ts";

let home: SceneHome;
beforeEach(async () => {
  home = await SceneHome.open();
});
afterEach(() => home[Symbol.asyncDispose]());

const on = (device: string, value: unknown = true) => ({
  device,
  service: "Switch",
  index: "0",
  property: "on",
  value,
});

describe("a hub that stores scenes", () => {
  it("receives nothing while it has none, and soon after its creation a scene of its devices, with its writes", async () => {
    await home.cloud.clock.advance(1000);
    const zone = await home.zone(home.lamp, home.lamp2);
    const items = [home.on(zone)];
    const { id } = await home.scene(items, { alias: "evening", meta: { "$.name": "Evening" } });
    await home.awaitScenes(1);
    const { ecosystemId, environmentId } = home.home;
    expect(home.lists).toMatchObject([{ ecosystemId, environmentId, scenes: [{ id }] }]);
    expect(home.received).toEqual([
      {
        ...{ id, alias: "evening", meta: JSON.stringify({ s: { name: "Evening" } }), createdAt: expect.any(Number) },
        ...{ digest: home.lists.at(-1)?.scenes[0]?.digest, items, triggers: [] },
        writes: [on(LAMP), on(LAMP_2)],
      },
    ]);
  });

  it("is notified when a zone gets a device, when the scene changes, and when it is deleted", async () => {
    const zone = await home.zone(home.lamp);
    const { id } = await home.scene([home.on(zone)]);
    await home.awaitScenes(1);
    const change = async (count: number, work: () => Promise<unknown>) => {
      const before = home.lists.length;
      await work();
      await home.awaitScenes(count, before);
    };
    await change(1, () => home.good("PUT", `/api/zones/${zone}`, { items: [home.lamp2] }));
    expect(home.received.at(-1)).toMatchObject({ id, writes: [on(LAMP_2)] });
    await change(1, () => home.good("PUT", `/api/scenes/${id}`, { items: [home.on(home.lamp, false)] }));
    expect(home.received.at(-1)).toMatchObject({ id, writes: [on(LAMP, false)] });
    await change(0, () => home.good("DELETE", `/api/scenes/${id}`));
  });

  it("has no scene that sets a device elsewhere too, and has it once that device is gone", async () => {
    const { id } = await home.scene([home.on(home.lamp), home.on(home.mood)]);
    const { id: other } = await home.scene([home.on(home.lamp)]);
    await home.awaitScenes(1);
    expect(home.lists.at(-1)?.scenes).toMatchObject([{ id: other }]);
    await home.good("DELETE", `/api/devices/${home.mood}`);
    await home.awaitScenes(2);
    expect(home.lists.at(-1)?.scenes).toMatchObject([{ id }, { id: other }]);
  });

  it("receives the time zone and the location of the home", async () => {
    await home.scene([home.on(home.lamp)]);
    await home.awaitScenes(1, 0);
    const before = home.lists.length;
    const facts = { timeZone: "Europe/Berlin", location: { latitude: 52.5, longitude: 13.4 } };
    await home.good("PUT", `/api/environments/${home.home.environmentId}`, facts);
    await home.awaitScenes(1, before);
    expect(home.lists.at(-1)).toMatchObject(facts);
  });

  it("that reconnects with the current digest receives nothing, and otherwise everything", async () => {
    await home.scene([home.on(home.lamp)]);
    await home.awaitScenes(1);
    const { digest } = home.lists.at(-1) ?? { digest: "" };
    home.lists.length = 0;
    home.hub.cut();
    await home.connect({ scenesDigest: digest, instance: "instance-2" });
    await home.cloud.clock.advance(1000);
    await home.scene([home.on(home.lamp2)]);
    await home.awaitScenes(2);
    // That was the first list that it received.
    expect(home.lists).toHaveLength(1);
    home.hub.cut();
    await home.connect({ scenesDigest: "another", instance: "instance-3" });
    await home.awaitScenes(2);
  });

  it("names the scene that it has called by itself as the cause of a change", async () => {
    const { id } = await home.scene([home.on(home.lamp)]);
    const value = { kind: "value", n: 1, ...on(LAMP), observedAt: 0, cause: "local", scene: { id, by: "event" } };
    await home.hub.ask("records", { records: [value] });
    expect((await home.events("property.changed")).map(({ cause }) => cause)).toEqual([
      { kind: "scene", sceneId: id, by: "event" },
    ]);
  });
});

it("the client of a hub says whether its agent stores scenes, also while the hub is away, and says nothing before it knows", async () => {
  const connection = async () => (await home.good("GET", `/api/clients/${home.clientId}`)).connection;
  expect(await connection()).toMatchObject({ state: "online", storesScenes: true });
  home.hub.cut();
  await home.connect({ instance: "instance-2" });
  expect(await connection()).toMatchObject({ state: "online", storesScenes: false });
  home.hub.cut();
  await home.cloud.clock.advance(60_000);
  expect(await connection()).toMatchObject({ state: "offline", storesScenes: false });
  await home.until(async () => (await home.events("hub.offline")).length > 0);
  expect((await home.events("hub.online")).at(-1)).toMatchObject({ connection: { storesScenes: true } });
  expect((await home.events("hub.offline")).at(-1)).toMatchObject({ connection: { storesScenes: false } });
  const { environmentId } = home.home;
  const fresh = await home.good("POST", "/api/clients", { environmentId });
  expect((await home.good("GET", `/api/clients/${fresh.id}`)).connection).not.toHaveProperty("storesScenes");
});

it("a hub whose agent does not support scenes receives none", async () => {
  home.hub.cut();
  await home.connect({ namesDigest: "", instance: "instance-2" });
  let names = 0;
  home.hub.answers.names = () => {
    names += 1;
    return { wanted: [] };
  };
  await home.scene([home.on(home.lamp)]);
  // Names are sent by the same round.
  await home.until(() => names > 0);
  await home.good("PUT", `/api/devices/${home.lamp}`, { alias: "lamp" });
  await home.until(() => names > 1);
  expect(home.lists).toEqual([]);
});
