/** The cluster of the tests works as described: nodes behind one address, and hubs that carry out commands and record them. */
import { seededRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Cluster } from "./cluster.ts";
import { ClusterHome } from "./cluster-home.ts";

const stack = new AsyncDisposableStack();
let cluster: Cluster;
let home: ClusterHome;
beforeAll(async () => {
  cluster = stack.use(await Cluster.start({ nodes: 2 }));
  home = stack.use(await ClusterHome.start({ cluster, hubs: 2, devicesPerHub: 2, random: seededRandom(1) }));
});
afterAll(() => stack.disposeAsync());

test("a PUT is carried out once by the hub, over its current connection", async () => {
  const [device] = home.devices;
  const answer = await home.api.call("PUT", `/api/devices/${device?.id}/services/LightColor.hue`, { value: 12.5 });
  expect(answer).toMatchObject({ status: 200, body: { value: 12.5 } });
  expect(home.truth.acts).toMatchObject([
    { hub: device?.hub.clientId, device: device?.edgeId, property: "LightColor.hue", value: 12.5, epoch: 1 },
  ]);
  expect(home.truth.acts[0]?.commandId).toBe(answer.headers.get("x-command-id"));
});

test("every node sets a lamp, with its hub on any node", async () => {
  const [device] = home.devices;
  for (const [at, node] of cluster.nodes.entries()) {
    const value = 20 + at;
    const api = new Api(node.url, home.token);
    const answer = await api.call("PUT", `/api/devices/${device?.id}/services/LightColor.hue`, { value });
    expect(answer).toMatchObject({ status: 200, body: { value } });
  }
});

test("a device's own report is acknowledged and read", async () => {
  const [, device] = home.devices;
  device?.hub.report(device.edgeId, 77.25);
  await eventually("it is acknowledged", async () => home.truth.reports[0]?.ackedAt !== undefined);
  const path = `/api/devices/${device?.id}/services/Illuminance.lux`;
  expect(await home.api.good("GET", path)).toMatchObject({ items: [{ value: 77.25 }] });
});

test("hubs whose nodes were killed come back to the nodes that serve again, under larger epochs", async () => {
  for (const node of cluster.nodes) await node.sigkill();
  await eventually("the hubs know", async () => home.hubs.every((hub) => !hub.live));
  await Promise.all(cluster.nodes.map((node) => node.start()));
  await eventually("the hubs are back", async () => home.hubs.every((hub) => hub.live));
  expect(home.truth.connections.map(({ epoch }) => epoch)).toEqual([1, 1, 2, 2]);
});

test("a hub that went with all nodes is shown online by none of them, from their first answer on", async () => {
  const [gone, stays] = home.hubs;
  for (const node of cluster.nodes) await node.sigkill();
  await gone?.[Symbol.asyncDispose]();
  await Promise.all(cluster.nodes.map((node) => node.start()));
  const states = new Set<string>();
  for (const node of cluster.nodes) {
    const api = new Api(node.url, home.token);
    await eventually("the hub that is back is online at every node", async () => {
      states.add((await shown(api, gone?.clientId)).state);
      return (await shown(api, stays?.clientId)).state === "online";
    });
  }
  expect([...states]).not.toContain("online");
});

async function shown(api: Api, clientId: string | undefined): Promise<{ readonly state: string }> {
  const client = await api.good<{ connection: { state: string } }>("GET", `/api/clients/${clientId}`);
  return client.connection;
}
