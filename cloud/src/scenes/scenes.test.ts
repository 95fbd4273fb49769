/** Scenes as objects: made, captured, changed, listed and deleted, with what they may name and what may call them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Reply } from "../app.fixture.ts";
import { BUTTON, LAMP } from "../devices/devices.fixture.ts";
import { LAMP_2, SceneHome } from "./scene-home.fixture.ts";

let home: SceneHome;
beforeEach(async () => {
  home = await SceneHome.open();
});
afterEach(() => home[Symbol.asyncDispose]());

const make = (items: unknown, more: Record<string, unknown> = {}) =>
  home.call("POST", "/api/scenes", { environmentId: home.home.environmentId, items, ...more });
const problemOf = ({ status, body }: Reply) => [status, body.title, body.errors?.[0]?.pointer];
const setHome = (body: object) => home.call("PUT", `/api/environments/${home.home.environmentId}`, body);
const press = () => ({ kind: "event", deviceId: home.button, service: "Button.event", value: "press" });

describe("a scene", () => {
  it("is shown as it was made, under its alias too, and its event is the same", async () => {
    const items = [home.on(home.lamp), home.on(home.mood, false, "Switch:0.on")];
    const made = await home.scene(items, { alias: "evening", meta: { floor: 1 } });
    expect(made).toMatchObject({ items, triggers: [], alias: "evening", meta: { floor: 1 } });
    // The lamp is on a hub, and the other in the cloud.
    expect(made).not.toHaveProperty("hubId");
    const { environmentId } = home.home;
    expect(await home.good("GET", `/api/scenes/${encodeURIComponent(`${environmentId};evening`)}`)).toEqual(made);
    expect(await home.events("scene.created")).toEqual([made]);
    expect((await home.good("GET", `/api/scenes?environmentId=${environmentId}`)).items).toEqual([made]);
  });

  it.each([
    ["another kind of ID", "tok_x", "Switch.on", true, 400, "Scene Item Invalid"],
    ["no such service", "", "Toaster.on", true, 404, "Service Not Found"],
    ["no property", "", "Switch", true, 400, "Service Property Invalid"],
    ["what can only be read", "", "Temperature.celsius", 20, 400, "Property Not Writable"],
    ["a value that it cannot have", "", "LightColor.hue", 400, 400, "Property Value Invalid"],
  ])(
    "is not made with %s, and the answer says which item it is",
    async (_what, target, service, value, status, title) => {
      const reply = await make([home.on(home.lamp2), { target: target || home.lamp, service, value }]);
      expect([reply.status, reply.body.title]).toEqual([status, title]);
      if (target === "") expect(reply.body.errors[0].pointer).toBe("/items/1");
    },
  );

  it("names devices and zones of its own environment only", async () => {
    const { id } = await home.good("POST", "/api/environments", {});
    const services = [{ service: "Switch" }];
    const { id: strange } = await home.good("POST", "/api/devices", { environmentId: id, services });
    expect(problemOf(await make([home.on(strange)]))[1]).toBe("Scene Item Invalid");
    await home.good("DELETE", `/api/devices/${strange}`);
    expect(problemOf(await make([home.on(strange)]))).toEqual([404, "Scene Item Not Found", undefined]);
  });

  it("has a bounded number of items, and of characters", async () => {
    const many = (count: number) => Array.from({ length: count }, () => home.on(home.lamp));
    expect((await make(many(500))).status).toBe(201);
    expect(problemOf(await make(many(501)))).toEqual([400, "Body Parameters Invalid", "/items"]);
    expect(problemOf(await make([]))).toEqual([400, "Body Parameters Invalid", "/items"]);
    const zone = await home.zone(home.lamp);
    const large = Array.from({ length: 9 }, () => home.on(zone, "x".repeat(8000), "Display.text"));
    expect(problemOf(await make(large))[1]).toBe("Scene Item Invalid");
  });

  it("changes what a PUT has, with its entity tag and event, and takes back what was read", async () => {
    const made = await home.scene([home.on(home.lamp)], { alias: "evening" });
    const path = `/api/scenes/${made.id}`;
    const before = await home.call("GET", path);
    const same = await home.call("PUT", path, before.body);
    expect(same.headers.etag).toBe(before.headers.etag);
    expect(await home.events("scene.updated")).toEqual([]);
    const changed = await home.call("PUT", path, { items: [home.on(home.lamp2)] });
    expect(changed.headers.etag).not.toBe(before.headers.etag);
    expect((await home.call("PUT", path, { alias: null }, { "if-match": String(before.headers.etag) })).status).toBe(
      412,
    );
    expect(await home.good("GET", path)).toMatchObject({ items: [home.on(home.lamp2)], alias: "evening" });
    expect(await home.events("scene.updated")).toHaveLength(1);
  });

  it("loses what is deleted, and has another entity tag then", async () => {
    const zone = await home.zone(home.lamp);
    const made = await home.scene([home.on(home.lamp), home.on(zone), home.on(home.lamp2)], { triggers: [press()] });
    const path = `/api/scenes/${made.id}`;
    const before = await home.call("GET", path);
    for (const gone of [`devices/${home.lamp}`, `zones/${zone}`, `devices/${home.button}`])
      await home.good("DELETE", `/api/${gone}`);
    const after = await home.call("GET", path);
    expect([after.body.items, after.body.triggers]).toEqual([[home.on(home.lamp2)], []]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    await home.good("DELETE", `/api/clients/${home.clientId}`);
    expect((await home.good("GET", path)).items).toEqual([]);
    const unchanged = await home.call("PUT", path, { items: [home.on(home.mood)] });
    expect(unchanged.status).toBe(200);
    expect((await home.good("GET", path)).items).toEqual([home.on(home.mood)]);
  });

  it("goes alone, and with its environment", async () => {
    const made = await home.scene([home.on(home.mood)], { alias: "evening" });
    await home.good("DELETE", `/api/scenes/${made.id}`);
    expect(await home.events("scene.deleted")).toEqual([made]);
    expect((await home.call("GET", `/api/scenes/${made.id}`)).body.title).toBe("Scene Not Found");
    const other = await home.scene([home.on(home.mood)], { alias: "evening" });
    const { id } = await home.good("POST", "/api/environments", {});
    await home.good("DELETE", `/api/environments/${home.home.environmentId}`);
    expect((await home.call("GET", `/api/scenes/${other.id}`)).body.title).toBe("Scene Not Found");
    expect((await home.good("GET", `/api/scenes?environmentId=${id}`)).items).toEqual([]);
  });

  it("is listed page by page", async () => {
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await home.scene([home.on(home.mood)])).id);
    const first = await home.good("GET", "/api/scenes?pageSize=2");
    const token = encodeURIComponent(first.continuationToken);
    const second = await home.good("GET", `/api/scenes?pageSize=2&continuationToken=${token}`);
    expect([...first.items, ...second.items].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second).not.toHaveProperty("continuationToken");
  });
});

describe("a capture", () => {
  const capture = (more: Record<string, unknown> = {}) =>
    home.call("POST", "/api/scenes/capture", { environmentId: home.home.environmentId, ...more });

  it("takes every known value that can be set again, of all devices or of those that are named", async () => {
    await home.good("PUT", `/api/devices/${home.mood}/services/Switch.on`, { value: true });
    await home.hub.ask("records", {
      records: [
        {
          kind: "value",
          n: 1,
          device: LAMP,
          service: "Switch",
          index: "0",
          property: "on",
          value: false,
          observedAt: 0,
          cause: "report",
        },
        {
          kind: "value",
          n: 2,
          device: LAMP_2,
          service: "LightColor",
          index: "0",
          property: "hue",
          value: 7,
          observedAt: 0,
          cause: "report",
        },
        {
          kind: "value",
          n: 3,
          device: LAMP,
          service: "Temperature",
          index: "0",
          property: "celsius",
          value: 20,
          observedAt: 0,
          cause: "report",
        },
      ],
    });
    const all = await capture({ alias: "now" });
    expect(all.status).toBe(201);
    expect(all.body.items).toEqual(
      expect.arrayContaining([
        home.on(home.lamp, false, "Switch:0.on"),
        home.on(home.lamp2, 7, "LightColor:0.hue"),
        home.on(home.mood, true, "Switch:0.on"),
      ]),
    );
    expect(all.body.items).toHaveLength(3);
    const zone = await home.zone(home.lamp2);
    const some = await capture({ targets: [zone, home.mood, home.lamp2] });
    expect(some.body.items.map(({ target }: { target: string }) => target)).toEqual([home.lamp2, home.mood]);
  });

  it("of nothing that is known is refused", async () => {
    expect(problemOf(await capture({ targets: [home.lamp] }))).toEqual([400, "Scene Item Invalid", undefined]);
  });
});

describe("a trigger", () => {
  it("of a button is stored as the hub knows it, and only of the hub that has all devices of the scene", async () => {
    const made = await home.scene([home.on(home.lamp)], { triggers: [press()] });
    expect(made).toMatchObject({ hubId: home.clientId, triggers: [press()] });
    expect(problemOf(await make([home.on(home.mood)], { triggers: [press()] }))).toEqual([
      400,
      "Scene Trigger Invalid",
      undefined,
    ]);
    const put = await home.call("PUT", `/api/scenes/${made.id}`, { items: [home.on(home.lamp), home.on(home.mood)] });
    expect(put.body.title).toBe("Scene Trigger Invalid");
    await home.awaitScenes(1, 0);
    expect(home.received.at(-1)).toMatchObject({
      triggers: [{ kind: "event", device: BUTTON, service: "Button", index: "0", property: "event", value: "press" }],
    });
  });

  it.each([
    ["of another property", { service: "Battery.percent" }],
    ["of no such button", { service: "Button:3.event" }],
    ["of what the button never reports", { value: "twist" }],
  ])("%s is refused", async (_what, more) => {
    const reply = await make([home.on(home.lamp)], { triggers: [{ ...press(), ...more }] });
    expect(problemOf(reply)).toEqual([400, "Scene Trigger Invalid", "/triggers/0"]);
  });

  it("of a time needs the time zone of the home, one of the sun its place too, which cannot be removed then", async () => {
    const time = { kind: "time", at: "07:30", days: ["mon", "fri"] };
    const sun = { kind: "sun", event: "sunset", offsetMinutes: -30 };
    const items = [home.on(home.lamp)];
    expect(problemOf(await make(items, { triggers: [time] }))).toEqual([400, "Scene Trigger Invalid", "/triggers/0"]);
    await setHome({ timeZone: "Europe/Berlin" });
    expect(problemOf(await make(items, { triggers: [time, sun] }))).toEqual([
      400,
      "Scene Trigger Invalid",
      "/triggers/1",
    ]);
    await setHome({ location: { latitude: 52.5, longitude: 13.4 } });
    const { id, triggers } = await home.scene(items, { triggers: [time, sun] });
    expect(triggers).toEqual([time, sun]);
    expect(problemOf(await setHome({ location: null }))).toEqual([400, "Body Parameters Invalid", "/location"]);
    expect(problemOf(await setHome({ timeZone: null }))).toEqual([400, "Body Parameters Invalid", "/timeZone"]);
    await home.good("PUT", `/api/scenes/${id}`, { triggers: [] });
    expect((await setHome({ timeZone: null, location: null })).status).toBe(200);
  });

  it.each([
    [{ kind: "time", at: "24:00" }],
    [{ kind: "time", at: "07:30", days: ["mon", "mon"] }],
    [{ kind: "time", at: "07:30", days: [] }],
    [{ kind: "sun", event: "noon" }],
    [{ kind: "sun", event: "sunset", offsetMinutes: 721 }],
    [{ kind: "when it rains" }],
  ])("%j is no trigger", async (trigger) => {
    expect(problemOf(await make([home.on(home.lamp)], { triggers: [trigger] }))[1]).toBe("Body Parameters Invalid");
  });
});

describe("an environment", () => {
  it("shows its time zone and its place, with an entity tag and an event of their own", async () => {
    const path = `/api/environments/${home.home.environmentId}`;
    const before = await home.call("GET", path);
    expect(before.body).not.toHaveProperty("timeZone");
    const facts = { timeZone: "Europe/Berlin", location: { latitude: 52.5, longitude: -13.4 } };
    const put = await setHome(facts);
    expect(put.headers.etag).not.toBe(before.headers.etag);
    const after = await home.call("GET", path);
    expect([after.headers.etag, after.body]).toEqual([put.headers.etag, { ...before.body, ...facts }]);
    expect(await home.events("environment.updated")).toEqual([after.body]);
    expect((await home.good("GET", "/api/environments")).items).toContainEqual(after.body);
    expect((await setHome(facts)).headers.etag).toBe(put.headers.etag);
    await setHome({ timeZone: null });
    expect(await home.good("GET", path)).toEqual({ ...before.body, location: facts.location });
  });

  it.each([
    [{ timeZone: "Europe/Nowhere" }],
    [{ timeZone: "+02:00" }],
    [{ location: { latitude: 91, longitude: 0 } }],
    [{ location: { latitude: 0 } }],
  ])("has no %j", async (facts) => {
    expect(problemOf(await setHome(facts))[1]).toBe("Body Parameters Invalid");
  });
});
