/** What a hub announces and describes, and what the cloud makes of it (T2.1, A2.1). */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientPrincipal } from "../../access/index.ts";
import { poison } from "../../store/poison.fixture.ts";
import { newKey, ScriptedHub } from "../../tunnels/tunnels.fixture.ts";
import { BUTTON, BUTTON_SERVICES, Home, LAMP, LAMP_SERVICES, value } from "../devices.fixture.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

const named = ({ service, index, property }: { service: string; index: string; property: string }) => ({
  service,
  index,
  property,
});
const lamp = { edgeId: LAMP, services: LAMP_SERVICES };
const button = { edgeId: BUTTON, services: BUTTON_SERVICES };

/** Deletes a device as the API does: its tombstone stays. */
async function deleteDevice(id: string) {
  const { ecosystemId, environmentId } = home.client;
  await home.testNode.store.write(ecosystemId, (tx) =>
    tx.change(
      tx.build.updateTable("objects").set({ gone_at: home.testNode.clock.now(), alias: null }).where("id", "=", id),
    ),
  );
  home.devices.environmentChanged(environmentId);
}

/** A second hub in the same home. */
async function neighbour(): Promise<ClientPrincipal> {
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
  return { ...home.client, clientId };
}
const otherKey = newKey();
const connectNeighbour = (client: ClientPrincipal) =>
  ScriptedHub.connect(home.testNode, client, { key: otherKey, hello: { edgeId: "02-00-00-00-00-09" } });

describe("an inventory", () => {
  it("creates devices, each with an ID, an event and its own description", async () => {
    await home.hub([lamp, button]);
    const added = await home.events("device.added");
    expect(added.map(({ edgeId }) => edgeId)).toEqual([LAMP, BUTTON]);
    expect(added[0]).toMatchObject({
      id: await home.deviceId(),
      environmentId: home.client.environmentId,
      clientId: home.client.clientId,
      type: "physical",
      meta: { "$.manufacturer": "Lumen", "$.model": "L1", "$.transport": "serial", "$.hub": "02-00-00-00-00-01" },
      connection: { state: "online" },
    });
  });

  it("wants descriptions only where its digest differs, and nothing at all after a short break", async () => {
    (await home.hub([lamp, button])).cut();
    const again = await ScriptedHub.connect(home.testNode, home.client, {
      key: home.key,
      hello: { inventoryDigest: "inventory of 2" },
    });
    expect(again.welcome.inventory).toBe(false);
    expect(await home.announce(again, [{ ...lamp, digest: "d2" }, button])).toEqual([LAMP]);
  });

  it("is asked for again when descriptions were still owed", async () => {
    const hub = await home.hub();
    const devices = [{ edgeId: LAMP, digest: "d1", arrival: 1, online: true }];
    await hub.ask("inventory", { digest: "inventory of 1", devices });
    hub.cut();
    const again = await ScriptedHub.connect(home.testNode, home.client, {
      key: home.key,
      hello: { inventoryDigest: "inventory of 1" },
    });
    expect(again.welcome.inventory).toBe(true);
  });

  it("that does not list a device any more takes it offline and keeps it", async () => {
    const hub = await home.hub([lamp, button]);
    await home.announce(hub, [button]);
    expect((await home.events("device.offline")).map(({ edgeId }) => edgeId)).toEqual([LAMP]);
    expect(await home.rows("devices")).toHaveLength(2);
  });

  it("reports the presence of a device, as its records do", async () => {
    const hub = await home.hub([lamp]);
    await home.announce(hub, [{ ...lamp, online: false }]);
    await home.announce(hub, [lamp]);
    expect(await home.testNode.eventTypes(home.client.ecosystemId)).toEqual([
      "hub.online",
      "device.added",
      "device.offline",
      "device.online",
    ]);
  });
});

describe("a deleted device", () => {
  it("is not made again by a hub that reconnects, and its records have no effect", async () => {
    const hub = await home.hub([lamp]);
    await deleteDevice(await home.deviceId());
    expect(await home.announce(hub, [lamp])).toEqual([]);
    expect(await home.records(hub, value(1, 10))).toBe(1);
    expect(await home.changes()).toEqual([]);
    expect(await home.cached("LightColor.hue")).toEqual([]);
  });

  it("is made anew, under a new ID, when its arrival number grows", async () => {
    const hub = await home.hub([lamp]);
    const old = await home.deviceId();
    await home.records(hub, value(1, 10));
    await deleteDevice(old);
    expect(await home.announce(hub, [{ ...lamp, arrival: 2 }])).toEqual([LAMP]);
    expect(await home.deviceId()).not.toBe(old);
    expect(await home.events("device.added")).toHaveLength(2);
    expect(await home.cached("LightColor.hue")).toEqual([]);
    expect((await home.rows("objects")).find(({ id }) => id === old)?.gone_at).not.toBeNull();
  });

  it("is measured by the arrivals of the new history once its hub has begun one", async () => {
    const hub = await home.hub([{ ...lamp, arrival: 7 }]);
    await deleteDevice(await home.deviceId());
    hub.cut();
    const restored = await home.hub([{ ...lamp, arrival: 2 }], { logId: "log-0002" });
    expect(await home.events("device.added")).toHaveLength(1);
    expect(await home.announce(restored, [{ ...lamp, arrival: 3 }])).toEqual([LAMP]);
  });
});

describe("a device that lives on another hub", () => {
  it("belongs to it: the other's announcement and records are without effect, and the owner is notified once", async () => {
    await home.hub([lamp]);
    const hub = await connectNeighbour(await neighbour());
    expect(await home.announce(hub, [lamp])).toEqual([]);
    expect(await home.announce(hub, [lamp])).toEqual([]);
    expect(await home.records(hub, value(1, 99))).toBe(1);
    expect(await home.changes()).toEqual([]);
    expect(await home.events("device.claimed")).toMatchObject([{ edgeId: LAMP, clientId: home.client.clientId }]);
  });

  it("is taken over, with its ID, when its hub reports it offline", async () => {
    const first = await home.hub([lamp]);
    const id = await home.deviceId();
    await home.records(first, value(50, 10), { kind: "presence", n: 51, device: LAMP, online: false, observedAt: 0 });
    const other = await neighbour();
    const hub = await connectNeighbour(other);
    await home.announce(hub, [lamp]);
    await home.records(hub, value(1, 20));
    expect(await home.rows("devices")).toMatchObject([{ id, client_id: other.clientId, online: 1 }]);
    expect(await home.cached("LightColor.hue")).toEqual([20]);
    // What the first still says of it is the past of another history.
    expect(await home.records(first, value(52, 30))).toBe(52);
    expect(await home.cached("LightColor.hue")).toEqual([20]);
  });

  it("is taken over when its hub has been offline for 60 s, not earlier", async () => {
    (await home.hub([lamp])).cut();
    const other = await neighbour();
    const hub = await connectNeighbour(other);
    await home.testNode.advance(30_000);
    await home.announce(hub, [lamp]);
    expect(await home.rows("devices")).toMatchObject([{ client_id: home.client.clientId }]);
    await home.testNode.advance(31_000);
    await home.announce(hub, [lamp]);
    expect(await home.rows("devices")).toMatchObject([{ client_id: other.clientId }]);
  });

  it("is reported to a hub that asks first, until its hub releases it; the owner is notified once", async () => {
    const first = await home.hub([lamp]);
    const hub = await connectNeighbour(await neighbour());
    const asked = { edgeIds: [LAMP, BUTTON, LAMP] };
    for (const _ of [1, 2]) expect(await hub.ask("claims", asked)).toEqual({ claimed: [LAMP] });
    expect(await first.ask("claims", asked)).toEqual({ claimed: [] });
    expect(await home.events("device.claimed")).toMatchObject([{ edgeId: LAMP }]);
    await home.records(first, { kind: "presence", n: 1, device: LAMP, online: false, observedAt: 0 });
    expect(await hub.ask("claims", asked)).toEqual({ claimed: [] });
  });

  it("belongs to no hub after its deletion", async () => {
    await home.hub([lamp]);
    const hub = await connectNeighbour(await neighbour());
    await deleteDevice(await home.deviceId());
    expect(await hub.ask("claims", { edgeIds: [LAMP] })).toEqual({ claimed: [] });
  });

  it("is announced again on every connection, for it may be free by then", async () => {
    await home.hub([lamp]);
    const other = await neighbour();
    const hub = await connectNeighbour(other);
    await home.announce(hub, [lamp, button]);
    hub.cut();
    const again = await ScriptedHub.connect(home.testNode, other, {
      key: otherKey,
      hello: { edgeId: "02-00-00-00-00-09", inventoryDigest: "inventory of 2" },
    });
    expect(again.welcome.inventory).toBe(true);
  });
});

describe("a description", () => {
  it("in parts is one device", async () => {
    const hub = await home.hub();
    await hub.ask("inventory", { digest: "x", devices: [{ edgeId: LAMP, digest: "d1", arrival: 1, online: true }] });
    const part = { edgeId: LAMP, digest: "d1", arrival: 1, online: true, about: {}, parts: 2 };
    await hub.ask("describe", { ...part, part: 0, services: LAMP_SERVICES.slice(0, 1) });
    await hub.ask("describe", { ...part, part: 1, services: LAMP_SERVICES.slice(1) });
    const { items } = await home.devices.services(await home.scope());
    expect(items.map(({ service }) => service)).toEqual(["Switch", "LightColor", "Temperature"]);
  });

  it("without a property ends its value with an event, and keeps the values of the others", async () => {
    const hub = await home.hub([lamp]);
    const on = { device: LAMP, service: "Switch", index: "0", property: "on" };
    await home.records(hub, value(1, true, on), value(2, 120));
    const services = LAMP_SERVICES.filter(({ service }) => service !== "Switch");
    await home.announce(hub, [{ ...lamp, services, digest: "d2" }]);
    const changed = await home.events("property.changed");
    expect(changed.at(-1)).toMatchObject({ item: { ...named(on), value: null }, previousValue: true });
    expect([await home.cached("Switch.on"), await home.cached("LightColor.hue")]).toEqual([[], [120]]);
    await home.announce(hub, [{ ...lamp, digest: "d3" }]);
    expect(await home.cached("Switch.on")).toEqual([]);
    expect(await home.events("property.changed")).toHaveLength(changed.length);
  });

  it("of one device more than an environment may have is refused, and the tunnel stays", async () => {
    const { ecosystemId, environmentId } = home.client;
    await home.testNode.store.write(ecosystemId, async ({ build, change }) => {
      const base = {
        ecosystem_id: ecosystemId,
        environment_id: environmentId,
        kind: "dev",
        alias: null,
        meta: "{}",
        version: 1,
        created_at: 0,
        gone_at: null,
      };
      for (let at = 0; at < 10_000; at += 1_000) {
        await change(
          build
            .insertInto("objects")
            .values(Array.from({ length: 1_000 }, (_, n) => ({ ...base, id: `dev_${at + n}` }))),
        );
      }
    });
    const hub = await home.hub();
    await expect(home.announce(hub, [lamp])).rejects.toThrow("Quota Exceeded");
    expect(hub.down).toBeUndefined();
  });

  it("of a device that cannot be stored is refused, and the tunnel stays for the others", async () => {
    await using _poisoned = await poison(
      home.testNode.store,
      "devices",
      "insert",
      sql<boolean>`new.edge_id = ${sql.lit(LAMP)}`,
    );
    const hub = await home.hub();
    await expect(home.announce(hub, [lamp])).rejects.toThrow();
    await home.announce(hub, [button]);
    expect(hub.down).toBeUndefined();
    expect((await home.rows("devices")).map((device) => device.edge_id)).toEqual([BUTTON]);
  });
});
