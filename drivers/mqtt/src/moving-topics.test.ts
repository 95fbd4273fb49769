/** Which device a command reaches, and whose a value is, when topics change hands, and when another dialect describes the same device. */
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import type { Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { BrokerHome } from "./broker-home.fixture.ts";
import { KeptThings } from "./device/kept-things.ts";
import { homeAssistantDialect } from "./home-assistant/home-assistant-dialect.ts";
import { tasmotaDialect } from "./tasmota/tasmota-dialect.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt/zigbee2mqtt-dialect.ts";

const [LAMP, HEATER] = ["00-15-8D-00-00-00-00-01", "00-15-8D-00-00-00-00-02"] as const;
const [MAC, OTHER_MAC] = ["02AA00000001", "02AA00000002"] as const;
const edgeIdOf = (hex: string) => (hex.match(/../g) ?? []).join("-");
const on = (index: number) => ({ service: "Switch", index: String(index), property: "on" });

class Home extends BrokerHome {
  constructor(store = memoryStore(), admitted?: readonly string[]) {
    const kept = new KeptThings(store);
    const dialects = [
      zigbee2mqttDialect("zigbee2mqtt", kept),
      tasmotaDialect(kept),
      homeAssistantDialect("homeassistant", "homeassistant", kept),
    ];
    super({ kept, dialects, admit: { all: admitted === undefined, edgeIds: new Set(admitted ?? []) } });
  }

  /** Zigbee2MQTT has these devices, each with its relays. */
  zigbee(names: Readonly<Record<string, string>>, endpoints: readonly string[] = [""]): void {
    const relays = endpoints.map((endpoint) => ({
      type: "switch",
      ...(endpoint && { endpoint }),
      features: [
        {
          ...{ type: "binary", name: "state", property: ["state", endpoint].filter(Boolean).join("_"), access: 3 },
          ...{ value_on: "ON", value_off: "OFF", ...(endpoint && { endpoint }) },
        },
      ],
    }));
    const list = Object.entries(names).map(([edgeId, friendly_name]) => ({
      ...{ ieee_address: `0x${edgeId.replaceAll("-", "").toLowerCase()}`, type: "Router", friendly_name },
      definition: { vendor: "Acme", model: "Relay", exposes: relays },
    }));
    this.broker.say("zigbee2mqtt/bridge/devices", list, true);
    this.broker.say("zigbee2mqtt/bridge/state", { state: "online" }, true);
  }

  tasmota(mac: string, topic: string): void {
    const names = { t: topic, ft: "%prefix%/%topic%/", tp: ["cmnd", "stat", "tele"], state: ["OFF", "ON"] };
    this.broker.say(`tasmota/discovery/${mac}/config`, { ...names, mac, rl: [1, 1] }, true);
    this.broker.say(`tele/${topic}/LWT`, "Online", true);
  }

  /** Home Assistant's discovery of a switch; undefined takes it back. */
  entity(id: string, command: string | undefined, device: object): void {
    const options = { unique_id: id, command_topic: command, state_topic: `state/${id}`, device };
    this.broker.say(`homeassistant/switch/${id}/config`, command === undefined ? "" : options, true);
  }

  /** Where a command goes. */
  async set(edgeId: string, index: number): Promise<readonly string[]> {
    const before = this.broker.published.length;
    await this.clock.until(this.driver.write(edgeId, on(index), true, this.attempt(1000)));
    return this.broker.published.slice(before).map(({ topic, payload }) => `${topic} ${payload}`);
  }

  override valueOf(edgeId: string, index: number): Value | undefined {
    return this.host.valueOf(edgeId, on(index));
  }
}

describe("two devices that swap their topics", () => {
  test("of Zigbee2MQTT: a command that follows at once reaches the device that was meant", async () => {
    await using home = new Home();
    home.zigbee({ [LAMP]: "a", [HEATER]: "b" });
    await home.pass(100);
    home.zigbee({ [LAMP]: "b", [HEATER]: "a" });
    expect(await home.set(LAMP, 0)).toEqual(['zigbee2mqtt/b/set {"state":"ON"}']);
  });

  test("of Zigbee2MQTT, many times in a second: likewise", async () => {
    await using home = new Home();
    for (let count = 0; count < 12; count += 1) home.zigbee({ [LAMP]: "a", [HEATER]: `b${count}` });
    await home.pass(2000);
    for (let count = 0; count < 12; count += 1) home.zigbee({ [LAMP]: `b${count}`, [HEATER]: "a" });
    expect(await home.set(LAMP, 0)).toEqual(['zigbee2mqtt/b11/set {"state":"ON"}']);
  });

  test("of Zigbee2MQTT: a value that follows at once is that of the device that has the topic now", async () => {
    await using home = new Home();
    home.zigbee({ [LAMP]: "a", [HEATER]: "b" });
    await home.pass(100);
    home.broker.say("zigbee2mqtt/a", { state: "OFF" });
    home.broker.say("zigbee2mqtt/b", { state: "OFF" });
    await home.pass(10);
    home.zigbee({ [LAMP]: "b", [HEATER]: "a" });
    home.broker.say("zigbee2mqtt/b", { state: "ON" });
    await home.pass(100);
    expect([home.valueOf(LAMP, 0), home.valueOf(HEATER, 0)]).toEqual([true, false]);
  });

  test("of Tasmota: command and value likewise", async () => {
    await using home = new Home();
    home.tasmota(MAC, "a");
    home.tasmota(OTHER_MAC, "b");
    await home.pass(100);
    home.tasmota(MAC, "b");
    home.tasmota(OTHER_MAC, "a");
    home.broker.say("stat/b/RESULT", { POWER1: "ON" });
    await home.pass(100);
    expect([home.valueOf(edgeIdOf(MAC), 1), home.valueOf(edgeIdOf(OTHER_MAC), 1)]).toEqual([true, undefined]);
    home.tasmota(MAC, "a");
    home.tasmota(OTHER_MAC, "b");
    expect((await home.set(edgeIdOf(MAC), 2))[0]).toBe("cmnd/a/POWER2 ON");
  });

  test("of Home Assistant's discovery, as parts of one device: a command that follows at once reaches its part", async () => {
    await using home = new Home();
    const device = { identifiers: ["board"], connections: [["mac", "02:AA:00:00:00:03"]] };
    home.entity("heater", "relay/0", device);
    home.entity("pump", "relay/1", device);
    await home.pass(100);
    home.entity("heater", "relay/1", device);
    home.entity("pump", "relay/0", device);
    expect(await home.set("02-AA-00-00-00-03", 0)).toEqual(["relay/1 ON"]);
  });
});

describe("a device that another dialect describes from now on", () => {
  const device = { identifiers: [MAC], connections: [["mac", "02:AA:00:00:00:01"]] };
  const EDGE_ID = edgeIdOf(MAC);
  const discovered = (home: Home, isThere = true) => {
    for (const relay of [1, 2]) home.entity(`${MAC}_RL_${relay}`, isThere ? `ha/POWER${relay}` : undefined, device);
  };
  const all = async (home: Home) => {
    const commands: Record<number, string | undefined> = {};
    for (const index of [0, 1, 2, 3, 4]) commands[index] = (await home.set(EDGE_ID, index))[0]?.split("/").at(-1);
    return Object.fromEntries(Object.entries(commands).filter(([, command]) => command !== undefined));
  };

  test("has no address of before under which another relay is commanded, also after a restart", async () => {
    const store = memoryStore();
    const [own, others] = [
      { 1: "POWER1 ON", 2: "POWER2 ON" },
      { 0: "POWER1 ON", 3: "POWER2 ON" },
    ];
    {
      await using home = new Home(store);
      home.tasmota(MAC, "socket");
      discovered(home);
      await home.pass(100);
      expect(await all(home)).toEqual(own);
      home.broker.say(`tasmota/discovery/${MAC}/config`, "", true);
      await home.pass(100);
      expect(await all(home)).toEqual(others);
    }
    await using home = new Home(store);
    discovered(home);
    await home.pass(100);
    expect(await all(home)).toEqual(others);
    home.tasmota(MAC, "socket");
    await home.pass(4000);
    expect(await all(home)).toEqual(own);
  });

  test("likewise where the discovery of Home Assistant was there first", async () => {
    await using home = new Home();
    discovered(home);
    await home.pass(100);
    expect(await all(home)).toEqual({ 0: "POWER1 ON", 1: "POWER2 ON" });
    discovered(home, false);
    home.tasmota(MAC, "socket");
    await home.pass(4000);
    expect(await all(home)).toEqual({ 2: "POWER2 ON", 3: "POWER1 ON" });
  });

  test("likewise of Zigbee2MQTT, by endpoints", async () => {
    await using home = new Home();
    const zigbee = { identifiers: [`zigbee2mqtt_0x${LAMP.replaceAll("-", "").toLowerCase()}`] };
    for (const end of ["l1", "l2"]) home.entity(`0x1_switch_${end}`, `ha/${end}`, zigbee);
    home.zigbee({ [LAMP]: "a" }, ["l1", "l2"]);
    await home.pass(100);
    expect(await home.set(LAMP, 1)).toEqual(['zigbee2mqtt/a/set {"state_l1":"ON"}']);
    home.zigbee({});
    await home.pass(100);
    expect(await home.set(LAMP, 1)).toEqual([]);
    expect(await home.set(LAMP, 0)).toEqual(["ha/l1 ON"]);
  });
});

test("a driver that cannot read which addresses things have fails, and announces no device", async () => {
  const store = { ...memoryStore(), all: () => Promise.reject(new Error("disk I/O error")) };
  await using home = new Home(store);
  home.zigbee({ [LAMP]: "a" });
  await home.pass(100);
  expect(String(await home.driver.failed)).toContain("disk I/O error");
  expect([...home.host.live]).toEqual([]);
});
