/** Hubs that come to one node and then to another: what each node must know of the other's tunnels it knows from the store. */
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ClientPrincipal } from "../access/index.ts";
import { type HubOptions, newKey, ScriptedHub, TestNode } from "./tunnels.fixture.ts";

let nodes: readonly [TestNode, TestNode];
let client: ClientPrincipal;
let key: ReturnType<typeof newKey>;

beforeEach(async () => {
  // Long enough that a tunnel whose lease is over is found by the hub that comes, and not by the sweep.
  const first = await TestNode.open({ settings: { sweepMs: 60_000 } });
  nodes = [first, await first.another()];
  client = await first.client();
  key = newKey();
});
afterEach(async () => {
  for (const node of nodes.toReversed()) await node[Symbol.asyncDispose]();
});

const connect = (node: 0 | 1, instance: string) =>
  ScriptedHub.connect(nodes[node], client, { key, beats: false, hello: { instance } });
const refused = (node: 0 | 1, instance: string, options: HubOptions = {}) =>
  ScriptedHub.dial(nodes[node], client, { key, ...options }).refused({ instance });
/** As the store has them: another database takes its time until the end of one stands there. */
const openTunnels = () => {
  const { service } = nodes[0].store;
  return service.query(service.build.selectFrom("tunnels").select("epoch").where("closed_at", "is", null));
};
/** Its events, but for those that tell of another start of its agent. */
const ofPresence = async () =>
  (await nodes[0].eventTypes(client.ecosystemId)).filter((type) => type !== "hub.restarted");
/** Each on its own node, in turns. */
async function fight(): Promise<void> {
  for (const [node, instance] of [
    [0, "instance-a"],
    [1, "instance-b"],
    [0, "instance-a"],
    [1, "instance-b"],
  ] as const)
    await connect(node, instance);
}

it("two instances that replace each other on two nodes are found out, and the other is refused on either", async () => {
  await fight();
  expect(await ofPresence()).toEqual(["hub.online", "hub.duplicate"]);
  expect(await refused(0, "instance-a")).toBe("duplicate");
  expect(await refused(1, "instance-a")).toBe("duplicate");
  expect(nodes[1].tunnels.registry.live(client.clientId)?.hub.epoch).toBe(4);
});

it("the other is let in on either node once the one that was kept is gone", async () => {
  await fight();
  const kept = await connect(1, "instance-b");
  kept.cut();
  while ((await openTunnels()).length > 0) await settle();
  expect((await connect(0, "instance-a")).down).toBeUndefined();
});

it("the other is let in once the one that was kept has gone silent, also before its end is stored", async () => {
  await fight();
  for (let seconds = 0; seconds < 16; seconds++) {
    await nodes[0].clock.advance(1_000);
    for (const { store } of nodes) await store.writeService(async () => undefined);
  }
  expect((await connect(1, "instance-a")).down).toBeUndefined();
});

it("the one that is kept stays the one when it comes back to another node", async () => {
  await fight();
  await connect(0, "instance-b");
  expect(await refused(1, "instance-a")).toBe("duplicate");
});

it("what a node that died has left open does not count as living", async () => {
  await fight();
  await nodes[1].crash();
  await nodes[0].store.writeService((tx) =>
    tx.change(
      tx.build
        .deleteFrom("nodes")
        .where("id", "in", (of) => of.selectFrom("tunnels").select("node_id").where("closed_at", "is", null)),
    ),
  );
  expect((await connect(0, "instance-a")).down).toBeUndefined();
  await settle();
  expect(await ofPresence()).toEqual(["hub.online", "hub.duplicate"]);
});

it("one hub that is sent from node to node is no two, however often", async () => {
  for (const node of [0, 1, 0, 1, 0, 1] as const) expect((await connect(node, "instance-a")).down).toBeUndefined();
  expect(await nodes[0].eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
});
