/** An entity keeps its address for good, when entities are added, removed, renamed or listed in another order. */
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { describe, expect, test } from "vitest";
import { KeptThings } from "../device/kept-things.ts";
import { commandTopics, type Discovery, SCOPE, tell } from "./discovery.fixture.ts";
import { homeAssistantDialect } from "./home-assistant-dialect.ts";

const DEVICE = { identifiers: ["d"], connections: [["mac", "02:aa:00:00:00:1b"]] };

function entity(name: string, more: object = {}) {
  return { name, command_topic: `${name}/set`, state_topic: name, unique_id: name, device: DEVICE, ...more };
}

/** A hub that has admitted the device, and is restarted in between. */
function hub(store = memoryStore()) {
  const kept = new KeptThings(store);
  const dialect = homeAssistantDialect("homeassistant", SCOPE, kept);
  return {
    ready: kept.load(),
    /** The topic that each address commands, after these messages. */
    after: (discovery: Discovery) => {
      tell(dialect, discovery);
      const [device] = dialect.devices.values();
      if (device) kept.keepAddresses(device);
      return device ? commandTopics(device) : {};
    },
    again: async () => {
      const next = hub(store);
      await next.ready;
      return next;
    },
  };
}

describe("an address of an entity", () => {
  test("stays its own when another entity comes before it", () => {
    const { after } = hub();
    after({ "switch/heater": entity("heater"), "switch/pump": entity("pump") });
    expect(after({ "switch/aux": entity("aux") })).toEqual({
      "Switch:0.on": "heater/set",
      "Switch:1.on": "pump/set",
      "Switch:2.on": "aux/set",
    });
  });

  test("has nothing behind it when the entity has gone, also after a restart, and is the entity's again when that is back", async () => {
    const one = hub();
    one.after({ "switch/heater": entity("heater"), "switch/pump": entity("pump") });
    expect(one.after({ "switch/heater": "" })).toEqual({ "Switch:1.on": "pump/set" });
    const next = await one.again();
    expect(next.after({ "switch/pump": entity("pump"), "switch/aux": entity("aux") })).toEqual({
      "Switch:1.on": "pump/set",
      "Switch:2.on": "aux/set",
    });
    expect(next.after({ "switch/heater": entity("heater") })["Switch:0.on"]).toBe("heater/set");
  });

  test("follows the unique_id when topics are numbered anew", () => {
    const { after } = hub();
    after({ "switch/d/0": entity("heater"), "switch/d/1": entity("pump") });
    expect(after({ "switch/d/0": entity("pump"), "switch/d/1": "" })).toEqual({ "Switch:1.on": "pump/set" });
    expect(after({ "switch/d/0": entity("aux"), "switch/d/1": entity("pump") })).toEqual({
      "Switch:1.on": "pump/set",
      "Switch:2.on": "aux/set",
    });
  });

  test("follows the unique_id to the message of a whole device", () => {
    const { after } = hub();
    after({ "switch/d/a": entity("pump"), "switch/d/b": entity("heater") });
    const component = (name: string) => ({ ...entity(name), device: undefined, platform: "switch" });
    const whole = { device: DEVICE, components: { x: component("heater"), y: component("pump") } };
    expect(after({ "switch/d/a": "", "switch/d/b": "", "device/d": whole })).toEqual({
      "Switch:0.on": "pump/set",
      "Switch:1.on": "heater/set",
    });
  });

  test("is by the topic where entities have no unique_id, or one unique_id", () => {
    for (const unique_id of [undefined, "same"]) {
      const { after } = hub();
      after({ "switch/b": entity("b", { unique_id }), "switch/c": entity("c", { unique_id }) });
      after({ "switch/a": entity("a", { unique_id }), "switch/b": "" });
      expect(after({ "switch/a": entity("a", { unique_id }) })).toMatchObject({ "Switch:1.on": "c/set" });
      expect(after({ "switch/b": entity("b", { unique_id }) })["Switch:0.on"]).toBe("b/set");
    }
  });

  test("keeps its first name when its entity is renamed", () => {
    const { after } = hub();
    const limit = (id: string, name: string) => entity(id, { name });
    after({ "number/a": limit("a", "Limit"), "number/b": limit("b", "Limit") });
    const names = after({ "number/a": limit("a", "Bound"), "number/b": limit("b", "Bound") });
    expect(names).toEqual({ "Settings:0.limit": "a/set", "Settings:0.limit2": "b/set" });
    expect(after({ "number/a": "" })).toEqual({ "Settings:0.limit2": "b/set" });
  });

  test("distinguishes the parts of one entity by what they are", () => {
    const { after } = hub();
    const fan = (more: object) => entity("fan", { name: null, ...more });
    const oscillation = { oscillation_command_topic: "osc/set", oscillation_state_topic: "osc" };
    const direction = { direction_command_topic: "dir/set", direction_state_topic: "dir" };
    after({ "fan/f": fan(direction) });
    expect(after({ "fan/f": fan({ ...oscillation, ...direction, name: "Big" }) })).toEqual({
      "Fan:0.on": "fan/set",
      "Settings:0.direction": "dir/set",
      "Settings:0.bigOscillation": "osc/set",
    });
  });

  test("of a sensor is not that of another class, when its unit makes it one", () => {
    const { after } = hub();
    const sensor = (id: string, unit_of_measurement: string) =>
      entity(id, { device_class: "voltage", unit_of_measurement, command_topic: undefined });
    after({ "sensor/a": sensor("a", "V"), "sensor/b": sensor("b", "V") });
    expect(Object.keys(after({ "sensor/a": sensor("a", "furlong") })).sort()).toEqual([
      "Electricity:1.volts",
      "Readings:0.a",
    ]);
  });
});

describe("an address of a button", () => {
  const trigger = (subtype: string, topic = "r/action") => ({
    ...{ automation_type: "trigger", type: "button_short_press", subtype, topic, payload: subtype, device: DEVICE },
  });

  test("stays its own when triggers come and go, and when their topic changes", () => {
    const { after } = hub();
    after({ "device_automation/d/2": trigger("button_2"), "device_automation/d/3": trigger("button_3") });
    expect(after({ "device_automation/d/1": trigger("button_1") })).toEqual({
      "Button:0.event": "button_2",
      "Button:1.event": "button_3",
      "Button:2.event": "button_1",
    });
    expect(after({ "device_automation/d/2": "", "device_automation/d/3": trigger("button_3", "new/action") })).toEqual({
      "Button:1.event": "button_3",
      "Button:2.event": "button_1",
    });
  });

  test("of an event entity stays its own when its types come and go", () => {
    const { after } = hub();
    const event = (...event_types: readonly string[]) => entity("e", { event_types });
    after({ "event/e": event("2_single", "3_single") });
    expect(after({ "event/e": event("1_single", "3_single") })).toEqual({
      "Button:1.event": "3_single",
      "Button:2.event": "1_single",
    });
  });
});

test("a device that is not admitted leaves nothing in the store", async () => {
  const entries = new Map<string, Uint8Array>();
  const store = memoryStore(entries);
  const kept = new KeptThings(store);
  const dialect = homeAssistantDialect("homeassistant", SCOPE, kept);
  tell(dialect, { "switch/heater": entity("heater") });
  expect([dialect.devices.size, entries.size]).toEqual([1, 0]);
});
