/** The names of its devices that a hub receives, for the API that it serves at home. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Resolved } from "../access/index.ts";
import type { ScriptedHub } from "../tunnels/tunnels.fixture.ts";
import { Home, LAMP, value } from "./devices.fixture.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

interface ReceivedNames {
  readonly digest: string;
  readonly devices: readonly { readonly edgeId: string; readonly id: string; readonly version: number }[];
}

/** A hub that takes every name, and keeps what it receives. */
async function listening(namesDigest = "") {
  const hub = await home.lampHub({ namesDigest });
  const lists: ReceivedNames[] = [];
  const names: Record<string, unknown>[] = [];
  hub.answers.names = (params: ReceivedNames) => {
    lists.push(params);
    return { wanted: params.devices.map(({ edgeId }) => edgeId) };
  };
  hub.answers.name = (params: Record<string, unknown>) => {
    names.push(params);
    return {};
  };
  await home.testNode.clock.advance(200);
  return { hub, lists, names };
}

async function rename(hub: ScriptedHub, alias: string | null) {
  const { ecosystemId, environmentId } = home.client;
  const target = { ecosystemId, environmentId, kind: "dev", id: await home.deviceId() } as Resolved<"dev">;
  const caller = { kind: "server", tokenId: "tok_1", serverId: "srv_1", ecosystemId } as const;
  const meta = { room: "kitchen", "$.colour": "red" };
  await home.devices.change(caller, target, { alias, meta, prefix: "$.", verify: () => undefined });
  await home.testNode.clock.advance(200);
  return hub;
}

it("a hub learns the ID of each of its devices as soon as it has described them", async () => {
  const { lists, names } = await listening();
  const { ecosystemId, environmentId, clientId } = home.client;
  expect(lists.at(-1)).toMatchObject({ ecosystemId, environmentId, clientId });
  expect(names.find(({ edgeId }) => edgeId === LAMP)).toEqual({
    edgeId: LAMP,
    id: await home.deviceId(),
    version: 1,
    meta: "{}",
    createdAt: expect.any(Number),
  });
});

it("a new alias is sent soon, and the metadata under any prefix", async () => {
  const { hub, lists, names } = await listening();
  const before = lists.length;
  await rename(hub, "ceiling");
  expect(lists).toHaveLength(before + 1);
  expect(names.findLast(({ edgeId }) => edgeId === LAMP)).toMatchObject({
    alias: "ceiling",
    version: 2,
    meta: JSON.stringify({ s: { colour: "red" }, o: { room: "kitchen" } }),
  });
});

it("a hub that reconnects with the current digest receives nothing", async () => {
  const { hub, lists } = await listening();
  hub.cut();
  const again = await listening(lists.at(-1)?.digest);
  expect(again.lists).toEqual([]);
});

it("a change while the hub was offline is sent when it is back", async () => {
  const { hub, lists } = await listening();
  hub.cut();
  await rename(hub, "ceiling");
  const again = await listening(lists.at(-1)?.digest);
  expect(again.names.map(({ alias }) => alias)).toContain("ceiling");
});

it("a device that was deleted is no more among them", async () => {
  const { lists } = await listening();
  const { ecosystemId, environmentId } = home.client;
  const target = { ecosystemId, environmentId, kind: "dev", id: await home.deviceId() } as Resolved<"dev">;
  const caller = { kind: "server", tokenId: "tok_1", serverId: "srv_1", ecosystemId } as const;
  await home.devices.delete(caller, target);
  await home.testNode.clock.advance(200);
  expect(lists.at(-1)?.devices.map(({ edgeId }) => edgeId)).not.toContain(LAMP);
});

it("a hub that has no use for names is asked nothing", async () => {
  const hub = await home.lampHub();
  await home.testNode.clock.advance(200);
  expect(hub.asked).toEqual([]);
});

it("a value that was set at home is reported as such", async () => {
  const hub = await home.lampHub();
  await home.records(hub, { ...value(1, 20), cause: "local" });
  expect(await home.changes()).toContain("hue=20 local");
});
