/** Calls of scenes: what reaches the devices, what is reported of each, and what a repeat does. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LAMP } from "../devices/devices.fixture.ts";
import { SceneHome } from "./scene-home.fixture.ts";

let home: SceneHome;
beforeEach(async () => {
  home = await SceneHome.open();
});
afterEach(() => home[Symbol.asyncDispose]());

const call = (id: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  home.call("POST", `/api/scenes/${id}/call`, body, headers);
const targets = (entries: { deviceId: string; value?: unknown; outcome?: string }[]) =>
  entries.map(({ deviceId, value, outcome }) => [deviceId, value ?? outcome]);

describe("the call of a scene", () => {
  it("sends its hub one frame, stores a command for each write, and returns what each device confirmed", async () => {
    const { id, hubId } = await home.scene([home.on(home.lamp), home.on(home.lamp2, 30, "LightColor.hue")]);
    expect(hubId).toBe(home.clientId);
    const reply = await call(id, {}, { prefer: "wait=5" });
    expect(reply.status).toBe(200);
    expect(reply.headers["preference-applied"]).toBe("wait=5");
    expect(targets(reply.body.items)).toEqual([
      [home.lamp, true],
      [home.lamp2, 30],
    ]);
    expect(reply.body).not.toHaveProperty("failures");
    const [frame, ...others] = home.frames("scene.call");
    expect(others).toEqual([]);
    expect(home.frames("command")).toEqual([]);
    expect(frame).toMatchObject({
      scene: id,
      commands: [{ device: LAMP, service: "Switch", value: true }, { value: 30 }],
    });
    for (const { commandId } of reply.body.items)
      expect(await home.good("GET", `/api/commands/${commandId}`)).toMatchObject({
        state: "confirmed",
        sceneId: id,
        sceneCommandId: reply.body.commandId,
      });
  });

  it("is the cause of the changes that it makes, and an event of its own", async () => {
    const { id } = await home.scene([home.on(home.lamp), home.on(home.mood)]);
    const { body } = await call(id);
    const causes = (await home.events("property.changed")).map(({ item, cause }) => [item.deviceId, cause]);
    const { commandId: sceneCommandId } = body;
    expect(causes).toEqual(
      expect.arrayContaining(
        body.items.map(({ deviceId, commandId }: { deviceId: string; commandId: string }) => [
          deviceId,
          expect.objectContaining({
            ...{ kind: "scene", sceneId: id, sceneCommandId, commandId },
            ...{ tokenId: expect.stringMatching(/^tok_/), durationMs: expect.any(Number) },
          }),
        ]),
      ),
    );
    expect(await home.events("scene.called")).toEqual([
      { sceneId: id, commandId: sceneCommandId, tokenId: expect.stringMatching(/^tok_/), confirmed: 2 },
    ]);
  });

  it("reports each device's failure, and can be repeated for those devices alone", async () => {
    const { id } = await home.scene([home.on(home.lamp), home.on(home.lamp2), home.on(home.mood)]);
    const whole = home.hub.answers["scene.call"];
    home.hub.answers["scene.call"] = ({
      commands,
    }: {
      commands: { id: string; value: unknown; device: string }[];
    }) => ({
      results: commands.map((each) => (each.device === LAMP ? home.confirm(each) : home.refuse(each))),
    });
    const { body } = await call(id);
    expect(targets(body.items)).toEqual([
      [home.lamp, true],
      [home.mood, true],
    ]);
    expect(body.failures).toEqual([
      {
        deviceId: home.lamp2,
        service: "Switch",
        index: "0",
        property: "on",
        name: "Device Rejected",
        detail: "The bulb is broken.",
        outcome: "rejected",
        code: 7,
        commandId: expect.stringMatching(/^cmd_/),
      },
    ]);
    expect(await home.events("scene.called")).toMatchObject([{ confirmed: 2, failures: [{ deviceId: home.lamp2 }] }]);
    if (whole) home.hub.answers["scene.call"] = whole;
    const again = await call(id, { only: body.failures.map(({ deviceId }: { deviceId: string }) => deviceId) });
    expect(targets(again.body.items)).toEqual([[home.lamp2, true]]);
    expect(again.body).not.toHaveProperty("failures");
    // One command asks alone.
    expect(home.frames("scene.call").map(({ commands }) => (commands as unknown[]).length)).toEqual([2, 1]);
  });

  it("sends a property once, with the value of the later item", async () => {
    const zone = await home.zone(home.lamp, home.lamp2);
    const { id } = await home.scene([home.on(zone), home.on(home.lamp2, false, "Switch:0.on")]);
    const { body } = await call(id);
    expect(targets(body.items)).toEqual([
      [home.lamp, true],
      [home.lamp2, false],
    ]);
  });

  it("reports that nothing was sent to an offline hub, and sets the rest", async () => {
    const { id } = await home.scene([home.on(home.lamp), home.on(home.mood)]);
    home.hub.cut();
    await home.cloud.clock.advance(0);
    const { body } = await call(id);
    expect(targets(body.items)).toEqual([[home.mood, true]]);
    expect(body.failures).toMatchObject([{ deviceId: home.lamp, name: "Hub Offline", outcome: "not_sent" }]);
  });

  it("reports why a device in a zone cannot have the value", async () => {
    const { environmentId } = home.home;
    const services = [{ service: "LightColor", properties: [{ property: "hue", min: 200, max: 260 }] }];
    const { id: blue } = await home.good("POST", "/api/devices", { environmentId, services });
    const zone = await home.zone(blue, home.lamp);
    const { id } = await home.scene([home.on(zone, 30, "LightColor.hue")]);
    const { body } = await call(id);
    expect(targets(body.items)).toEqual([[home.lamp, 30]]);
    expect(body.failures).toMatchObject([{ deviceId: blue, name: "Property Value Invalid", outcome: "not_sent" }]);
  });

  it("is for devices of the scene only", async () => {
    const { id } = await home.scene([home.on(home.lamp)]);
    const refused = await call(id, { only: [home.lamp2] });
    expect([refused.status, refused.body.title, refused.body.errors]).toEqual([
      400,
      "Body Parameters Invalid",
      [{ pointer: "/only/0", message: "is no device that the scene sets" }],
    ]);
    expect((await call(id, { only: ["dev_x"] })).body.title).toBe("Device Invalid");
    expect(home.frames("scene.call")).toEqual([]);
  });
});

describe("a hub whose agent knows of no scenes", () => {
  it("is asked command by command, and the answer is the same", async () => {
    home.hub.cut();
    await home.connect({ instance: "instance-2" });
    const { id } = await home.scene([home.on(home.lamp), home.on(home.lamp2)]);
    const { body } = await call(id);
    expect(targets(body.items)).toEqual([
      [home.lamp, true],
      [home.lamp2, true],
    ]);
    expect(home.frames("command")).toHaveLength(2);
    expect(home.frames("scene.call")).toEqual([]);
  });
});

describe("a call with an idempotency key", () => {
  const headers = { "idempotency-key": "evening" };

  it("is carried out once, and answered again with the same", async () => {
    const { id } = await home.scene([home.on(home.lamp), home.on(home.mood)]);
    const first = await call(id, {}, headers);
    const second = await call(id, {}, headers);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.body).toEqual(first.body);
    expect(home.frames("scene.call")).toHaveLength(1);
    expect(await home.events("scene.called")).toHaveLength(1);
    expect((await call(id, { only: [home.lamp] }, headers)).body.title).toBe("Idempotency Key Reused");
  });

  it("whose service died in between sends no write a second time, and nothing that the scene has come to mean since", async () => {
    const { id } = await home.scene([home.on(home.lamp), home.on(home.lamp2)]);
    const asked = Promise.withResolvers<void>();
    home.hub.answers["scene.call"] = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    // It is never answered.
    void call(id, {}, headers).catch(() => undefined);
    await asked.promise;
    const dead = await home.cloud.rows((db) => db.selectFrom("nodes").select("id"));
    await home.cloud.app.kill();
    const before = home.frames("scene.call")[0] as { commands: { id: string }[] };
    await using again = await SceneHome.after(home);
    // Another node has seen that its lease was not renewed.
    for (const { id: node } of dead) await again.cloud.change((db) => db.deleteFrom("nodes").where("id", "=", node));
    await again.connect({ scenesDigest: "", instance: "instance-3" });
    await again.good("PUT", `/api/scenes/${id}`, { items: [home.on(home.mood)] });
    const reply = await again.call("POST", `/api/scenes/${id}/call`, {}, headers);
    expect(reply.status).toBe(200);
    const ids = [...(reply.body.items ?? []), ...(reply.body.failures ?? [])].map(({ commandId }) => commandId);
    expect(ids.sort()).toEqual(before.commands.map((each) => each.id).sort());
    expect(again.frames("scene.call")).toEqual([]);
    expect(await again.events("scene.called")).toHaveLength(1);
  });
});
