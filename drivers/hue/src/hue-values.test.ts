/** What the bridge says of a value, in any order in which it lists, reports and answers: the right value, or none. */
import { attemptOf } from "@porchlight/driver-kit";
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { addressKey, type Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import type { Resource } from "./bridge/resource.ts";
import { HueDriver } from "./hue-driver.ts";
import { paired } from "./hue-world.fixture.ts";
import { MemoryBridge } from "./memory-bridge.fixture.ts";

const BRIDGE_ID = "001788FFFEAABBCC";
const DEVICE = "00-17-88-01-00-00-00-09";

/** A device with these services, in this order. */
function device(...services: readonly Resource[]): readonly Resource[] {
  const owner = { rid: "the-device", rtype: "device" };
  const mac_address = DEVICE.replaceAll("-", ":").toLowerCase();
  const zigbee: Resource = { id: "zigbee", type: "zigbee_connectivity", owner, status: "connected", mac_address };
  const all = [zigbee, ...services.map((each): Resource => ({ ...each, owner }))];
  const references = all.map(({ id, type }) => ({ rid: id, rtype: type }));
  return [...all, { id: owner.rid, type: "device", metadata: { name: "Thing" }, services: references }];
}

class HueValues implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly host = new FakeHost(this.clock);
  readonly bridge = new MemoryBridge(this.clock, []);
  readonly store = paired(BRIDGE_ID);
  #driver: HueDriver | undefined;

  static async with(...resources: readonly Resource[]): Promise<HueValues> {
    const one = new HueValues();
    for (const each of resources) one.bridge.resources.set(each.id, each);
    await one.start();
    return one;
  }

  get driver(): HueDriver {
    if (!this.#driver) throw new Error("the driver has not been started");
    return this.#driver;
  }

  async start(): Promise<void> {
    const { clock, host, store, bridge } = this;
    const away = () => Promise.reject(new Error("away"));
    this.#driver = await HueDriver.start({
      ...{ clock, random: seededRandom(1), log: silentLog, host, store, bridges: [] },
      ...{ admit: { all: true, edgeIds: new Set() }, pairing: { facts: away, askKey: away }, open: () => bridge.open },
    });
    await this.pass(2000);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await settle();
  }

  value(key: string, edgeId = DEVICE): Value | undefined {
    return this.host.valueOf(edgeId, addressIn(key));
  }

  /** Addresses of a service, as the device is described now. */
  addresses(service: string): readonly string[] {
    const described = this.host.descriptions.get(DEVICE) ?? [];
    return described.flatMap((each) =>
      each.service === service
        ? each.properties.map(({ property }) => addressKey({ service, index: each.index, property }))
        : [],
    );
  }

  read(key: string, ms = 10_000) {
    return this.clock.until(this.driver.read(DEVICE, addressIn(key), this.#attempt(ms)), 60_000);
  }

  write(key: string, value: Value, ms = 10_000) {
    return this.clock.until(this.driver.write(DEVICE, addressIn(key), value, this.#attempt(ms)), 60_000);
  }

  async stop(): Promise<void> {
    if (this.#driver) await this.clock.until(this.#driver[Symbol.asyncDispose](), 60_000);
    this.#driver = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #attempt(ms: number) {
    return attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch: () => true });
  }
}

const light = (id: string, fields: object = {}): Resource => ({ id, type: "light", on: { on: false }, ...fields });

describe("the services of a device", () => {
  test("keep their indexes, when the bridge adds, removes and reorders others, and after a restart", async () => {
    await using one = await HueValues.with(...device(light("a"), light("b")));
    const command = async () => {
      const found: Record<string, string | undefined> = {};
      for (const key of one.addresses("Switch")) {
        await one.write(key, true);
        found[key] = one.bridge.commands.at(-1);
      }
      return found;
    };
    expect(await command()).toEqual({ "Switch:0.on": "a", "Switch:1.on": "b" });
    one.bridge.replace(device(light("c"), light("b"), light("a")));
    await one.pass(1000);
    expect(await command()).toEqual({ "Switch:0.on": "a", "Switch:1.on": "b", "Switch:2.on": "c" });
    one.bridge.replace(device(light("c"), light("b")), ["a"]);
    await one.pass(1000);
    const before = one.bridge.commands.length;
    expect(await one.write("Switch:0.on", true)).toMatchObject({
      ...{ outcome: "rejected", detail: "The device does not describe Switch:0.on any more." },
    });
    expect(await one.read("Switch:0.on")).toMatchObject({ outcome: "rejected" });
    expect(one.bridge.commands.length).toBe(before);
    await one.stop();
    await one.start();
    expect(await command()).toEqual({ "Switch:1.on": "b", "Switch:2.on": "c" });
    one.bridge.replace(device(light("a"), light("c"), light("b")));
    await one.pass(1000);
    expect(await command()).toEqual({ "Switch:0.on": "a", "Switch:1.on": "b", "Switch:2.on": "c" });
  });

  test("keep their values when the device is described anew, and what is back is announced anew", async () => {
    await using one = await HueValues.with(
      ...device(light("a", { on: { on: true } }), light("b", { on: { on: true } })),
    );
    const reported = one.host.learnings.length;
    one.bridge.replace(device(light("b", { on: { on: true } })), ["a"]);
    await one.pass(1000);
    expect(one.host.learnings.slice(reported)).toEqual([]);
    one.bridge.replace(device(light("a", { on: { on: true } }), light("b", { on: { on: true } })));
    await one.pass(1000);
    expect(one.host.learnings.slice(reported)).toMatchObject([{ service: "Switch", index: "0", value: true }]);
  });

  test("begin anew when the device is added to the bridge anew: its services have other IDs", async () => {
    await using one = await HueValues.with(...device(light("a")));
    const renamed = device(light("x")).map((each) =>
      each.type === "device" ? { ...each, id: "another-device" } : each,
    );
    one.bridge.replace(renamed, ["a", "the-device"]);
    await one.pass(1000);
    expect(one.addresses("Switch")).toEqual(["Switch:0.on"]);
  });

  const button = (id: string, control_id: number): Resource => ({ id, type: "button", metadata: { control_id } });

  test("have a button's own number, and one that had another keeps it", async () => {
    await using one = await HueValues.with(...device(button("one", 1)));
    expect(one.addresses("Button")).toEqual(["Button:0.event"]);
    one.bridge.replace(device(button("two", 2), button("one", 1)));
    await one.pass(1000);
    expect(one.addresses("Button").toSorted()).toEqual(["Button:0.event", "Button:2.event"]);
  });

  test("of one class and several types have addresses of their own", async () => {
    const motion = (type: string, isSeen: boolean): Resource => ({ id: type, type, motion: { motion: isSeen } });
    await using one = await HueValues.with(...device(motion("motion", true), motion("camera_motion", false)));
    expect([one.value("Motion:0.detected"), one.value("Motion:1.detected")]).toEqual([true, false]);
  });
});

describe("a lamp of colour and white", () => {
  const lamp = light("lamp", {
    ...{ on: { on: true }, dimming: { brightness: 40 }, color: { xy: { x: 0.64, y: 0.33 } } },
    color_temperature: { mirek: null, mirek_valid: false },
  });
  const shown = (one: HueValues) =>
    ["LightColor:0.hue", "LightColor:0.saturation", "LightTemperature:0.kelvin"].map((key) => one.value(key));

  test.for([
    [
      "white, as a bridge says it",
      { color: { xy: { x: 0.4, y: 0.4 } }, color_temperature: { mirek: 250, mirek_valid: true } },
      [null, null, 4000],
    ],
    ["white, by the temperature alone", { color_temperature: { mirek: 250 } }, [null, null, 4000]],
    ["white of a temperature that is none", { color_temperature: { mirek: 0, mirek_valid: true } }, [null, null, null]],
    [
      "a colour",
      { color: { xy: { x: 0.3, y: 0.6 } }, color_temperature: { mirek: null, mirek_valid: false } },
      [120, 100, null],
    ],
    ["a colour, by its point alone", { color: { xy: { x: 0.3, y: 0.6 } } }, [120, 100, null]],
    ["a point that is none", { color: { xy: { x: 0.3 } } }, [null, null, null]],
    [
      "neither a point nor a temperature",
      { color: { xy: null }, color_temperature: { mirek: null, mirek_valid: null } },
      [null, null, null],
    ],
  ] as const)("shows %s", async ([, update, expected]) => {
    for (const mirek of [null, 370]) {
      const before = { ...lamp, color_temperature: { mirek, mirek_valid: mirek !== null } };
      await using one = await HueValues.with(...device(before));
      expect(shown(one)).toEqual(mirek === null ? [0.1, 100, null] : [null, null, 2703]);
      one.bridge.change("lamp", update);
      await one.pass(100);
      expect(shown(one)).toEqual(expected);
    }
  });

  test("is set to a colour while it shows white, and to white while it shows a colour", async () => {
    await using one = await HueValues.with(...device(lamp));
    expect(await one.write("LightTemperature:0.kelvin", 4000)).toEqual({ kind: "value", value: 4000 });
    expect(shown(one).slice(0, 2)).toEqual([null, null]);
    expect(await one.write("LightColor:0.hue", 120)).toMatchObject({ kind: "value" });
    await one.pass(100);
    expect(one.value("LightTemperature:0.kelvin")).toBeNull();
  });

  test("has no level of before when it was off at 0 % and is turned on without one", async () => {
    await using one = await HueValues.with(...device(light("lamp", { on: { on: true }, dimming: { brightness: 50 } })));
    expect(one.value("LightLevel:0.level")).toBe(50);
    one.bridge.change("lamp", { on: { on: false }, dimming: { brightness: 0 } });
    await one.pass(100);
    one.bridge.change("lamp", { on: { on: true } });
    await one.pass(100);
    expect([one.value("Switch:0.on"), one.value("LightLevel:0.level")]).toEqual([true, null]);
  });

  test("keeps its properties while one of its members is silent", async () => {
    await using one = await HueValues.with(...device(lamp));
    const before = one.host.descriptions.get(DEVICE);
    one.bridge.change("lamp", { dimming: null, color: null, color_temperature: null });
    one.bridge.say([{ type: "update", data: [{ id: "the-device", type: "device", metadata: { name: "Sun" } }] }]);
    await one.pass(100);
    expect(one.host.descriptions.get(DEVICE)).toEqual(before);
    expect([one.value("LightLevel:0.level"), ...shown(one)]).toEqual([null, null, null, null]);
  });
});

describe("a sensor", () => {
  const motion = (fields: object): Resource => ({ id: "motion", type: "motion", enabled: true, motion: fields });
  const report = (isSeen: unknown) => ({ motion_report: { changed: "2026-11-25T10:00:00Z", motion: isSeen } });

  test.for([
    ["a new report over an old member", { motion: false }, { motion: report(true) }, true],
    ["a new member over an old report", { motion: false, ...report(false) }, { motion: { motion: true } }, true],
    ["a report without a value", { motion: true, ...report(true) }, { motion: report(null) }, null],
    ["a value after it was not valid", { motion: false, motion_valid: false }, { motion: { motion: true } }, true],
    ["that its value is not valid", { motion: true, motion_valid: true }, { motion: { motion_valid: false } }, null],
    [
      "that it is not certain whether its value is valid",
      { motion: true },
      { motion: { motion_valid: "perhaps" } },
      null,
    ],
    ["nothing", { motion: true }, { motion: null }, null],
  ] as const)("says %s", async ([, before, update, expected]) => {
    await using one = await HueValues.with(...device(motion(before)));
    one.bridge.change("motion", update);
    await one.pass(100);
    expect(one.value("Motion:0.detected")).toBe(expected);
  });

  test("that is turned off and on again has no value before it reports one", async () => {
    await using one = await HueValues.with(...device(motion({ motion: true, motion_valid: true })));
    const says = async (fields: Readonly<Record<string, unknown>>) => {
      one.bridge.change("motion", fields);
      await one.pass(100);
      return one.value("Motion:0.detected");
    };
    expect(await says({ enabled: false })).toBeNull();
    expect(await says({ enabled: true })).toBeNull();
    one.bridge.say([{ type: "update", data: [{ id: "the-device", type: "device", metadata: { name: "Sun" } }] }]);
    expect(one.value("Motion:0.detected")).toBeNull();
    expect(await says({ motion: { motion: true, motion_valid: true } })).toBe(true);
  });

  test.for([
    [0, 0],
    [1, 1],
    ["10001", 10],
    [-5, null],
    [65_535, null],
    [1e9, null],
    [null, null],
  ] as const)("of a light level %j is in %j lx", async ([light_level, lux]) => {
    await using one = await HueValues.with(
      ...device({ id: "lux", type: "light_level", light: { light_level: 5000, light_level_valid: true } }),
    );
    one.bridge.change("lux", { light: { light_level, light_level_valid: true } });
    await one.pass(100);
    expect(one.value("Illuminance:0.lux")).toBe(lux);
  });

  test("that the bridge loses and finds again is not reported as fresh before its next report", async () => {
    await using one = await HueValues.with(...device(motion({ motion: true })));
    const key = addressIn("Motion:0.detected");
    const before = one.host.timesOf(DEVICE, key);
    for (const status of ["connectivity_issue", "connected"]) {
      one.bridge.change("zigbee", { status });
      await one.pass(1000);
      expect(one.driver.has(DEVICE)).toBe(status === "connected");
    }
    expect(one.host.timesOf(DEVICE, key)).toBe(before);
    one.bridge.cut();
    one.bridge.mend();
    await one.pass(60_000);
    expect(one.host.timesOf(DEVICE, key), "all that the bridge has was read anew").toBe(before + 1);
  });

  test("that repeats itself is reported each time", async () => {
    await using one = await HueValues.with(...device(motion({ motion: false })));
    const before = one.host.timesOf(DEVICE, addressIn("Motion:0.detected"));
    for (let times = 0; times < 3; times++) {
      one.bridge.change("motion", { motion: { motion: true } });
      await one.pass(1000);
    }
    expect(one.host.timesOf(DEVICE, addressIn("Motion:0.detected"))).toBe(before + 3);
  });
});

describe("a refresh", () => {
  test.for([
    [{ on: { on: true }, dimming: { brightness: null } }, null],
    [{ on: { on: true }, dimming: {} }, null],
    [{ on: { on: true } }, null],
    [{ on: { on: true }, dimming: { brightness: "30" } }, 30],
  ] as const)("that is answered %j says %j", async ([answered, value]) => {
    await using one = await HueValues.with(...device(light("lamp", { dimming: { brightness: 40 } })));
    one.bridge.resources.set("lamp", { id: "lamp", type: "light", ...answered });
    expect(await one.read("LightLevel:0.level")).toEqual({ kind: "value", value });
  });

  test("whose answer a report has overtaken asks again, and nothing older is reported", async () => {
    await using one = await HueValues.with(...device(light("lamp", { dimming: { brightness: 40 } })));
    one.bridge.samplesEarly = true;
    one.bridge.delayMs = 1000;
    const reading = one.read("Switch:0.on");
    one.clock.timer("a hand turns it on", 500, () => one.bridge.change("lamp", { on: { on: true } }));
    const reported = one.host.story.length;
    expect(await reading).toEqual({ kind: "value", value: true });
    expect(one.host.story.slice(reported)).toEqual(["reported Switch.on true"]);
  });

  test("that is overtaken again and again answers what was reported last", async () => {
    await using one = await HueValues.with(...device(light("lamp", { dimming: { brightness: 40 } })));
    one.bridge.samplesEarly = true;
    one.bridge.delayMs = 1000;
    const reading = one.read("LightLevel:0.level", 30_000);
    let brightness = 10;
    const turning = setTurning(one.clock, 300, () => {
      brightness += 1;
      one.bridge.change("lamp", { dimming: { brightness } });
    });
    const result = await reading;
    turning();
    expect(result).toEqual({ kind: "value", value: brightness });
  });
});

test("two scenes of one name have the same names in any order of the bridge's list", async () => {
  const scene = (id: string): Resource => ({
    ...{ id, type: "scene", metadata: { name: "Relax" }, group: { rid: "room", rtype: "room" } },
    status: { active: "inactive" },
  });
  const group: Resource = {
    id: "group",
    type: "grouped_light",
    on: { on: false },
    owner: { rid: "room", rtype: "room" },
  };
  const room: Resource = {
    ...{
      id: "room",
      type: "room",
      metadata: { name: "Bathroom" },
      services: [{ rid: "group", rtype: "grouped_light" }],
    },
  };
  for (const scenes of [
    [scene("s1"), scene("s2")],
    [scene("s2"), scene("s1")],
  ]) {
    await using one = await HueValues.with(...scenes, group, room);
    const edgeId = one.host.arrivals[0]?.edgeId ?? "";
    const attempt = attemptOf(one.clock, { deadline: one.clock.monotonic() + 1000, mayTouch: () => true });
    await one.clock.until(one.driver.write(edgeId, addressIn("Scenes:0.show"), "Relax 2", attempt), 60_000);
    expect(one.bridge.commands).toEqual(["s2"]);
  }
});

/** Does it again and again, until what it returns is called. */
function setTurning(clock: VirtualClock, ms: number, turn: () => void): () => void {
  let isOn = true;
  const again = () =>
    clock.timer("a hand turns a dimmer", ms, () => {
      if (!isOn) return;
      turn();
      again();
    });
  again();
  return () => {
    isOn = false;
  };
}
