/** Two nodes that are one service: a request to either is carried out by the same hub, and both report the same. */
import { seededRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Cluster } from "./cluster.ts";
import { ClusterHome } from "./cluster-home.ts";

const stack = new AsyncDisposableStack();
let cluster: Cluster;
let home: ClusterHome;
let nodes: readonly Api[];
beforeAll(async () => {
  cluster = stack.use(await Cluster.start({ nodes: 2 }));
  home = stack.use(await ClusterHome.start({ cluster, hubs: 2, devicesPerHub: 2, random: seededRandom(1) }));
  nodes = cluster.nodes.map(({ url }) => new Api(url, home.token));
});
afterAll(() => stack.disposeAsync());

test("a write is carried out once, by the node that has the hub, when either node is asked", async () => {
  for (const [at, device] of home.devices.entries()) {
    for (const [which, api] of nodes.entries()) {
      const value = 10 * at + which + 1;
      const answer = await api.call("PUT", `/api/devices/${device.id}/services/LightColor.hue`, { value });
      expect(answer).toMatchObject({ status: 200, body: { value } });
      const acts = home.truth.acts.filter(({ commandId }) => commandId === answer.headers.get("x-command-id"));
      expect(acts).toMatchObject([{ device: device.edgeId, value }]);
      for (const other of nodes) {
        await eventually("both report it", async () => {
          const read = await other.good<{ items: { value: unknown }[] }>(
            "GET",
            `/api/devices/${device.id}/services/LightColor.hue`,
          );
          return read.items[0]?.value === value ? true : undefined;
        });
      }
    }
  }
});

test("every node shows every hub online", async () => {
  for (const api of nodes) {
    await eventually("both hubs are online", async () => {
      const { items } = await api.good<{ items: { connection: { state: string } }[] }>("GET", "/api/clients");
      return items.length === 2 && items.every(({ connection }) => connection.state === "online");
    });
  }
});

test("a refresh reads from the device, when either node is asked", async () => {
  for (const device of home.devices)
    for (const api of nodes) {
      const answer = await api.good("GET", `/api/devices/${device.id}/services/LightColor.hue?refresh=true`);
      expect(answer).toMatchObject({ items: [{ deviceId: device.id }] });
      expect(answer.failures).toBeUndefined();
    }
});
