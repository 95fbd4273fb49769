/** One history a hub: what batches of records do, and what they do not (T3 and T6). */
import { formatTime, silentLog } from "@porchlight/shared/kernel";
import type { HubRecord } from "@porchlight/shared/tunnel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { poison } from "../../store/poison.fixture.ts";
import { GapInHistory } from "../../tunnels/index.ts";
import { newKey, ScriptedHub } from "../../tunnels/tunnels.fixture.ts";
import { Descriptions } from "../device-row.ts";
import { BUTTON, BUTTON_SERVICES, Home, HUE, LAMP, LAMP_SERVICES, PRESS, value } from "../devices.fixture.ts";
import { RecordBatches } from "./apply-records.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

const presence = (n: number, online: boolean, device = LAMP): HubRecord => ({
  kind: "presence",
  n,
  device,
  online,
  observedAt: 0,
});
const position = async () => (await home.rows("clients"))[0]?.position;

describe("a batch of records", () => {
  it("is acknowledged with its last number, once value, event and position are stored together", async () => {
    const hub = await home.lampHub();
    expect(await home.records(hub, value(1, 10), value(2, 20), value(5, 30))).toBe(5);
    expect(await position()).toBe(5);
    expect(await home.changes()).toEqual(["hue=10 device", "hue=20 device", "hue=30 device"]);
    expect(await home.cached("LightColor.hue")).toEqual([30]);
    expect((await home.events("property.changed")).map(({ previousValue }) => previousValue)).toEqual([
      undefined,
      10,
      20,
    ]);
  });

  it("has no second effect when it is sent again after a break", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 10), value(2, "press", PRESS));
    hub.cut();
    const again = await home.hub([], { lastNumber: 2, inventoryDigest: "inventory of 2" });
    expect(await home.records(again, value(1, 10), value(2, "press", PRESS), value(3, 20))).toBe(3);
    expect(await home.changes()).toEqual(["hue=10 device", "event=press device", "hue=20 device"]);
  });

  it("survives a crash of the cloud: what was acknowledged is there, and the history goes on behind it", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 10));
    await home.restart();
    const again = await ScriptedHub.connect(home.testNode, home.client, {
      key: home.key,
      hello: { lastNumber: 2, acknowledged: 1 },
    });
    expect(again.welcome).toMatchObject({ acknowledged: 1, resync: false });
    expect(await home.cached("LightColor.hue")).toEqual([10]);
    await home.records(again, value(2, 20));
    expect(await home.cached("LightColor.hue")).toEqual([20]);
  });

  it("with an equal value moves observedAt and is no event", async () => {
    const hub = await home.lampHub();
    const { clock } = home.testNode;
    await home.records(hub, value(1, 10, HUE, clock.now()));
    await home.testNode.advance(3_000);
    await home.records(hub, value(2, 10, HUE, clock.now()));
    expect(await home.changes()).toEqual(["hue=10 device"]);
    expect(await home.rows("property_values")).toMatchObject([
      { number: 2, modified_at: clock.now() - 3_000, observed_at: clock.now() },
    ]);
  });

  it.each<[string, number, number | undefined]>([
    ["before 1970", -8.64e15, 0],
    ["before any date", -1e300, 0],
    ["with a fraction", 1_000.7, 1_000],
    ["past any date", 1e300, undefined],
    ["in two days", 1_767_225_600_000 + 2 * 86_400_000, undefined],
  ])("with a time %s is stored with the nearest that can be", async (_what, stated, stored) => {
    const hub = await home.lampHub();
    const at = stored ?? home.testNode.clock.now();
    const left = { ...presence(2, false), observedAt: stated };
    expect(await home.records(hub, value(1, 10, HUE, stated), left, value(3, 10, HUE, stated))).toBe(3);
    expect(await home.rows("property_values")).toMatchObject([{ modified_at: at, observed_at: at }]);
    const lamp = (await home.rows("devices")).find(({ edge_id }) => edge_id === LAMP);
    expect(lamp).toMatchObject({ online: 0, online_since: at });
    const [changed] = await home.events("property.changed");
    expect(changed.item.modifiedAt).toBe(formatTime(at));
  });

  it("with a number that a faster way has passed moves nothing and makes no event", async () => {
    const hub = await home.lampHub();
    hub.answers.read = () => ({ items: [{ n: 5, value: 50, observedAt: 0 }] });
    await home.devices.refreshed(await home.scope(), { selector: "LightColor.hue", waitMs: 1_000, tokenId: "tok_1" });
    await home.records(hub, value(4, 40), value(5, 50), value(6, 60));
    expect(await home.changes()).toEqual(["hue=50 refresh", "hue=60 device"]);
    expect(await position()).toBe(6);
  });

  it("publishes every event of a notify-only property, equal or not", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, "press", PRESS), value(2, "press", PRESS), value(3, "press", PRESS));
    expect(await home.changes()).toEqual(["event=press device", "event=press device", "event=press device"]);
  });

  it("leaves the numbers of another hub's device, of an unknown one, and of what is not described alone, and is acknowledged", async () => {
    const other = await home.testNode.client();
    await home.testNode.store.write(home.client.ecosystemId, async (tx) => {
      await tx.change(
        tx.build
          .updateTable("clients")
          .set({ ecosystem_id: home.client.ecosystemId, environment_id: home.client.environmentId })
          .where("id", "=", other.clientId),
      );
      await tx.change(
        tx.build
          .updateTable("objects")
          .set({ ecosystem_id: home.client.ecosystemId, environment_id: home.client.environmentId })
          .where("id", "=", other.clientId),
      );
    });
    await home.lampHub();
    const neighbour = { ...home.client, clientId: other.clientId };
    const hub = await ScriptedHub.connect(home.testNode, neighbour, {
      key: newKey(),
      hello: { edgeId: "02-00-00-00-00-09" },
    });
    const unknown = { ...HUE, device: "00-00-00-00-00-99" };
    const undescribed = { ...HUE, property: "kelvin" };
    expect(
      await home.records(hub, value(1, 10), value(2, 20, unknown), value(3, 30, undescribed), presence(4, false)),
    ).toBe(4);
    expect(await home.changes()).toEqual([]);
    expect(await home.events("device.offline")).toEqual([]);
  });

  it("reports when a device goes offline and comes back, once each", async () => {
    const hub = await home.lampHub();
    await home.records(hub, presence(1, false), presence(2, false), presence(3, true), presence(4, true));
    expect((await home.events("device.offline")).map(({ edgeId, connection }) => [edgeId, connection.state])).toEqual([
      [LAMP, "offline"],
    ]);
    expect((await home.events("device.online")).map(({ edgeId, connection }) => [edgeId, connection.state])).toEqual([
      [LAMP, "online"],
    ]);
  });

  it("is not applied over a gap that a failed batch left", async () => {
    await home.lampHub();
    const hub = home.testNode.tunnels.registry.live(home.client.clientId)?.hub;
    if (!hub) throw new Error("no hub");
    const deps = {
      store: home.testNode.store,
      clock: home.testNode.clock,
      log: silentLog,
      listener: home.memory.cache,
      descriptions: new Descriptions(),
      storedResults: home.memory.storedResults,
    };
    await expect(new RecordBatches(deps).apply(hub, { records: [value(9, 90)], after: 8 })).rejects.toBeInstanceOf(
      GapInHistory,
    );
    expect(await home.changes()).toEqual([]);
  });

  it("with a record that cannot be stored keeps its tunnel, and so do the batches that are under way behind it", async () => {
    const { store } = home.testNode;
    const hub = await home.lampHub();
    await using _poisoned = await poison(store, "property_values", "insert", sql<boolean>`new.value = '66'`);
    const batches = [
      [value(1, 10), value(2, "press", PRESS), value(3, 66)],
      [value(4, "double", PRESS)],
      [value(5, "press", PRESS)],
    ];
    expect(await Promise.all(batches.map((batch) => home.records(hub, ...batch)))).toEqual([3, 4, 5]);
    expect(await home.changes()).toEqual([
      ...["hue=10 device", "event=press device", "event=double device", "event=press device"],
    ]);
    expect([await position(), hub.down, store.setAside.counts.get("hub_records")]).toEqual([5, undefined, 1]);
  });

  it("whose numbers do not grow ends the tunnel", async () => {
    const hub = await home.lampHub();
    await expect(home.records(hub, value(2, 20), value(2, 30))).rejects.toThrow();
    expect(hub.down).toBe("malformed");
  });
});

describe("a tunnel that is superseded", () => {
  it("has no effect by what it still sends, and is closed as superseded", async () => {
    const hub = await home.lampHub();
    // Another node has taken the client over; this one has not heard of it.
    await home.testNode.store.write(home.client.ecosystemId, (tx) =>
      tx.change(tx.build.updateTable("clients").set({ epoch: 99 })),
    );
    await expect(home.records(hub, value(1, 10))).rejects.toThrow();
    expect(hub.down).toBe("superseded");
    expect({ changes: await home.changes(), position: await position() }).toEqual({ changes: [], position: 0 });
  });

  it("does not make a hub offline that is online elsewhere", async () => {
    const hub = await home.lampHub();
    await home.testNode.store.write(home.client.ecosystemId, (tx) =>
      tx.change(tx.build.updateTable("clients").set({ epoch: 99 })),
    );
    hub.cut();
    await home.testNode.advance(30_000);
    expect(await home.events("hub.offline")).toEqual([]);
  });
});

describe("a new log", () => {
  it("begins at 0: its small numbers count, and no number of the old one is larger", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(100, 10));
    hub.cut();
    const renewed = await ScriptedHub.connect(home.testNode, home.client, {
      key: home.key,
      hello: { logId: "log-0002", lastNumber: 3 },
    });
    expect(renewed.welcome).toMatchObject({ acknowledged: 0, resync: true });
    await home.records(renewed, value(1, 20));
    expect(await home.cached("LightColor.hue")).toEqual([20]);
  });
});

describe("the same device", () => {
  it("keeps its value across descriptions, and loses what it has no longer", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 10), value(2, true, { ...HUE, service: "Switch", property: "on" }));
    await home.describe(hub, {
      edgeId: LAMP,
      digest: "d2",
      services: LAMP_SERVICES.filter(({ service }) => service !== "Switch"),
    });
    expect(await home.cached("LightColor.hue")).toEqual([10]);
    expect(await home.cached("Switch.on")).toEqual([]);
    expect(await home.rows("property_values")).toHaveLength(1);
    expect(await home.events("device.updated")).toHaveLength(1);
    await home.describe(hub, { edgeId: BUTTON, services: BUTTON_SERVICES });
    expect(await home.events("device.updated")).toHaveLength(1);
  });
});
