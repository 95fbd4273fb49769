import { describe, expect, test } from "vitest";
import { Payload } from "../device/payload.ts";
import { DEVICE_ABBREVIATIONS, OPTION_ABBREVIATIONS } from "./abbreviations.ts";
import { parseDiscoveryTopic, readDiscoveryPayload } from "./discovery-payload.ts";

/** What a message on a topic describes. */
function read(topic: string, stated: unknown) {
  const parts = parseDiscoveryTopic("ha", `ha/${topic}/config`);
  if (parts === undefined || parts === "badTopic") throw new Error(`${topic} is no discovery topic`);
  return readDiscoveryPayload(`ha/${topic}/config`, parts, new Payload(JSON.stringify(stated)));
}

function only(topic: string, stated: unknown) {
  const message = read(topic, stated);
  if ("problem" in message) throw new Error(message.problem);
  const [entity, another] = message.entities;
  if (!entity || another) throw new Error("there is not just one entity");
  return { ...entity, options: Object.fromEntries(entity.options) };
}

describe("a key in short", () => {
  test("is spelt out, in the message, its device and its availability", () => {
    const entity = only("sensor/a", {
      stat_t: "x",
      val_tpl: "{{ value }}",
      unit_of_meas: "W",
      dev: { ids: "d", cns: [["mac", "m"]], mf: "Maker", mdl: "Model", sw: "1.2", sn: "7" },
      avty: [{ t: "up", pl_avail: "1", pl_not_avail: 0, val_tpl: "{{ value }}" }],
      avty_mode: "any",
    });
    expect(entity.options).toMatchObject({ state_topic: "x", value_template: "{{ value }}", unit_of_measurement: "W" });
    expect(entity.device).toMatchObject({
      identifiers: ["d"],
      connections: [["mac", "m"]],
      manufacturer: "Maker",
      model: "Model",
      sw_version: "1.2",
      serial_number: "7",
    });
    expect(entity.availability).toEqual({
      mode: "any",
      topics: [{ topic: "up", available: "1", notAvailable: "0", template: "{{ value }}" }],
    });
  });

  test("counts for nothing beside the same key in full", () => {
    expect(only("sensor/a", { stat_t: "short", state_topic: "long" }).options).toEqual({ state_topic: "long" });
  });

  test("is one of some 280, each for another key", () => {
    expect(OPTION_ABBREVIATIONS.size).toBeGreaterThan(270);
    expect(DEVICE_ABBREVIATIONS.size).toBe(10);
    for (const [short, long] of [...OPTION_ABBREVIATIONS, ...DEVICE_ABBREVIATIONS]) {
      expect([short, long]).toEqual([expect.stringMatching(/^[a-z_]+$/), expect.stringMatching(/^[a-z_]+$/)]);
    }
  });

  test.for<[string, string]>([
    ["bri_cmd_t", "brightness_command_topic"],
    ["clr_temp_k", "color_temp_kelvin"],
    ["pl_not_avail", "payload_not_available"],
    ["pr_mode_val_tpl", "preset_mode_value_template"],
    ["set_pos_tpl", "set_position_template"],
    ["evt_typ", "event_types"],
    ["hum_state_tpl", "target_humidity_state_template"],
    ["curr_temp_tpl", "current_temperature_template"],
    ["sup_clrm", "supported_color_modes"],
    ["pos", "reports_position"],
  ])("%s is %s", ([short, long]) => {
    expect(OPTION_ABBREVIATIONS.get(short)).toBe(long);
  });
});

describe("a base topic", () => {
  test("is put in at either end of every topic, and nowhere else", () => {
    const entity = only("light/a", {
      "~": "home/lamp",
      cmd_t: "~/set",
      stat_t: "tele/~",
      bri_stat_t: "a~b",
      name: "~",
      avty: [{ t: "~/up" }],
    });
    expect(entity.options).toMatchObject({
      command_topic: "home/lamp/set",
      state_topic: "tele/home/lamp",
      brightness_state_topic: "a~b",
      name: "~",
    });
    expect(entity.availability.topics[0]?.topic).toBe("home/lamp/up");
  });

  test("is an ordinary character in a message without one", () => {
    expect(only("light/a", { cmd_t: "~/set" }).options).toEqual({ command_topic: "~/set" });
  });
});

describe("availability", () => {
  test("on one topic has its payloads and template beside it", () => {
    const stated = { avty_t: "up", pl_avail: "Online", pl_not_avail: "Offline", avty_tpl: "{{ value }}" };
    expect(only("switch/a", stated).availability).toEqual({
      mode: "latest",
      topics: [{ topic: "up", available: "Online", notAvailable: "Offline", template: "{{ value }}" }],
    });
  });

  test("is online and offline unless stated otherwise, and may be none", () => {
    expect(only("switch/a", { avty_t: "up" }).availability.topics).toEqual([
      { topic: "up", available: "online", notAvailable: "offline", template: undefined },
    ]);
    expect(only("switch/a", {}).availability.topics).toEqual([]);
  });
});

describe("a message of a whole device", () => {
  const DEVICE = {
    dev: { ids: "ea334450945afc", name: "Kitchen", mf: "Bla electronics", mdl: "xya", sw: "1.0", sn: "ea334450945afc" },
    o: { name: "bla2mqtt", sw: "2.1" },
    stat_t: "sensorBedroom/state",
    avty_t: "sensorBedroom/up",
    qos: 2,
    cmps: {
      temp: { p: "sensor", dev_cla: "temperature", unit_of_meas: "°C", val_tpl: "{{ value_json.temperature }}" },
      hum: { platform: "sensor", stat_t: "other/state", avty: [{ t: "hum/up" }] },
      gone: { p: "sensor" },
    },
  };

  test("describes an entity for each component, with the options that they share", () => {
    const message = read("device/0AFFD2", DEVICE);
    const entities = "entities" in message ? message.entities : [];
    expect(entities.map(({ component, object, id }) => [component, object, id])).toEqual([
      ["sensor", "temp", "device//0AFFD2/temp"],
      ["sensor", "hum", "device//0AFFD2/hum"],
    ]);
    expect(entities.map(({ options }) => [options.get("state_topic"), options.get("qos")])).toEqual([
      ["sensorBedroom/state", 2],
      ["other/state", 2],
    ]);
    expect(entities.map(({ availability }) => availability.topics.map(({ topic }) => topic))).toEqual([
      ["sensorBedroom/up"],
      ["hum/up"],
    ]);
    expect(entities.every(({ device }) => device?.name === "Kitchen")).toBe(true);
  });

  test("has a base topic for the topics of its components", () => {
    const message = read("device/d", { "~": "base", dev: { ids: "d" }, cmps: { a: { p: "switch", cmd_t: "~/set" } } });
    expect("entities" in message && message.entities[0]?.options.get("command_topic")).toBe("base/set");
  });
});

test.for([
  ["sensor/a", 7, "it is not a JSON object"],
  ["sensor/a", { device: { identifiers: [{}] } }, "its device has identifiers that is not understood"],
  ["sensor/a", { device: { connections: [["mac"]] } }, "its device has connections.0 that is not understood"],
  ["sensor/a", { availability: [{ payload_available: "1" }] }, "its availability has topic that is not understood"],
  ["sensor/a", { availability_mode: "most" }, "its availability_mode is not valid"],
  ["sensor/a", { availability: Array(17).fill({ topic: "a" }) }, "it has more than 16 availability topics"],
  ["device/a", { cmps: {} }, "it has no device block"],
  ["device/a", { dev: { ids: "a" } }, "it has no components"],
  ["device/a", { dev: { ids: "a" }, cmps: { b: {} } }, "its component b has no platform"],
  ["device/a", { dev: { ids: "a" }, cmps: { b: 1 } }, "its component b is not an object"],
] as const)("on %s, %j is of no use: %s", ([topic, stated, problem]) => {
  const message = read(topic, stated);
  expect("problem" in message && message.problem.replace(/identifiers\S*/, "identifiers")).toBe(problem);
});
