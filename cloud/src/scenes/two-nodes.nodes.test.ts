/** A scene whose hub is connected to one node, called through another (A13.4, T5.2). */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Reply, TestCloud } from "../app.fixture.ts";
import { LAMP } from "../devices/devices.fixture.ts";
import { type TwoClouds, twoClouds } from "../two-clouds.fixture.ts";
import { SceneHome } from "./scene-home.fixture.ts";

let clouds: TwoClouds;
/** The node of the hub is `one`; `other` is asked. */
let home: SceneHome;
beforeEach(async () => {
  clouds = await twoClouds();
  home = await SceneHome.open({ scenesDigest: "" }, clouds.one);
});
afterEach(() => clouds[Symbol.asyncDispose]());

const call = (cloud: TestCloud, id: string, headers: Record<string, string> = {}): Promise<Reply> =>
  cloud.call("POST", `/api/scenes/${id}/call`, { token: home.home.token, body: {}, headers });

test("its writes go to the hub in one frame, and each is answered by itself", async () => {
  const { id } = await home.scene([home.on(home.lamp), home.on(home.lamp2), home.on(home.mood)]);
  home.hub.answers["scene.call"] = ({ commands }: { commands: { id: string; value: unknown; device: string }[] }) => ({
    results: commands.map((each) => (each.device === LAMP ? home.refuse(each) : home.confirm(each))),
  });
  const { status, body } = await call(clouds.other, id);
  expect(status).toBe(200);
  expect(body.items.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual([home.lamp2, home.mood]);
  expect(body.failures).toMatchObject([{ deviceId: home.lamp, outcome: "rejected", code: 7 }]);
  expect(home.frames("scene.call")).toHaveLength(1);
  expect(home.frames("command")).toEqual([]);
  for (const { commandId } of body.items)
    expect(await home.good("GET", `/api/commands/${commandId}`)).toMatchObject({
      state: "confirmed",
      sceneId: id,
      sceneCommandId: body.commandId,
    });
});

test("from where it was called is known, whichever node was asked", async () => {
  const { id } = await home.scene([home.on(home.lamp)]);
  await call(clouds.other, id, { "idempotency-key": "evening" });
  const why = () => home.good("GET", `/api/devices/${home.lamp}/services/Switch.on/why`);
  const { command } = (await why()).cause;
  expect(command).toMatchObject({ by: { address: "127.0.0.1" }, idempotencyKey: "evening" });
  const body = { value: false };
  await clouds.other.good("PUT", `/api/devices/${home.lamp}/services/Switch.on`, { token: home.home.token, body });
  expect((await why()).cause.command).toMatchObject({ value: false, by: { address: "127.0.0.1" } });
});

test("under a key it is carried out once, whichever node is asked again", async () => {
  const { id } = await home.scene([home.on(home.lamp), home.on(home.lamp2)]);
  const headers = { "idempotency-key": "evening" };
  const first = await call(clouds.other, id, headers);
  const second = await call(clouds.one, id, headers);
  expect(second.body).toEqual(first.body);
  expect(home.frames("scene.call")).toHaveLength(1);
});

test("while the hub's node is unreachable nothing is sent, and each write reports that", async () => {
  const { id } = await home.scene([home.on(home.lamp), home.on(home.lamp2)]);
  await call(clouds.other, id);
  for (const bus of clouds.buses) bus.line = false;
  let done = false;
  const refused = call(clouds.other, id).finally(() => {
    done = true;
  });
  for (let at = 0; at < 30_000 && !done; at += 50) {
    await clouds.one.clock.advance(50);
    await clouds.one.app.fastify.inject({ url: "/readyz" });
  }
  const { body } = await refused;
  expect(body.failures.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["not_sent", "not_sent"]);
  expect(home.frames("scene.call")).toHaveLength(1);
});

test("a scene that is changed through one node is sent to the hub by the other", async () => {
  const { id } = await home.scene([home.on(home.lamp)]);
  await home.awaitScenes(1, 0);
  const before = home.lists.length;
  const body = { items: [home.on(home.lamp, false)] };
  await clouds.other.good("PUT", `/api/scenes/${id}`, { token: home.home.token, body });
  await home.awaitScenes(1, before);
  expect(home.received.at(-1)).toMatchObject({ id, writes: [{ value: false }] });
});
