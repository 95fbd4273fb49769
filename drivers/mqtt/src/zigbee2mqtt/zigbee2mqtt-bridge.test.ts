/** What the bridge says of itself and of all devices: messages that make no sense, and the settings of its output. */
import { describe, expect, test } from "vitest";
import type { Dialect, MqttDevice } from "../device/mqtt-device.ts";
import { Payload } from "../device/payload.ts";
import {
  binary,
  colorTemp,
  colour,
  dialectWith,
  find,
  LAMP_ID,
  lampOf,
  listed,
  numeric,
  say,
  selectors,
  state,
} from "./described-device.fixture.ts";

const OTHER = { ieee_address: "0x00158d0000000002", friendly_name: "other" };

describe("a list of devices", () => {
  const whole = JSON.stringify([listed([state]), listed([state], OTHER)]);
  test.for<[payload: string, problem: string]>([
    [whole.slice(0, -20), "the message is cut off or no JSON"],
    [whole.slice(0, 5), "the message is cut off or no JSON"],
    ["{", "the message is cut off or no JSON"],
    ['{"a":1}', "the message is no list"],
    ["null", "the message is no list"],
    [`${"[".repeat(50_000)}${"]".repeat(50_000)}`, "the message is not read: it is nested deeper than 200 levels"],
  ])("that makes no sense (%#) removes nothing, and is a problem until the next list", ([payload, problem]) => {
    const dialect = dialectWith(listed([state]), listed([state], OTHER));
    const before = lampOf(dialect);
    expect(say(dialect, "devices", payload)).toBe(true);
    expect([lampOf(dialect), dialect.devices.size]).toEqual([before, 2]);
    expect(dialect.problems).toEqual([`z/bridge/devices: ${problem}; the devices stay as they were described before`]);
    say(dialect, "devices", [listed([state])]);
    expect([dialect.problems, dialect.devices.size]).toEqual([[], 1]);
  });

  test("that is empty is how the broker forgets it: there is no device", () => {
    const dialect = dialectWith(listed([state]));
    say(dialect, "devices", "");
    expect([dialect.devices.size, dialect.problems]).toEqual([0, []]);
  });

  test("with a device that makes no sense keeps that as it was, and names it", () => {
    const dialect = dialectWith(listed([state]), listed([state], OTHER));
    const before = lampOf(dialect);
    say(dialect, "devices", [listed([state], { type: 7 }), 5, listed([state], OTHER)]);
    expect([lampOf(dialect), dialect.devices.size]).toEqual([before, 2]);
    expect(dialect.ignored).toEqual({ badDevice: 2 });
    expect(dialect.problems).toEqual([
      expect.stringMatching(/^z\/bridge\/devices: kitchen\/lamp: type: /),
      expect.stringMatching(/^z\/bridge\/devices: device 1: /),
    ]);
  });

  test("with a feature that makes no sense leaves the others of its device, and names it", () => {
    const dialect = dialectWith(listed([state, { type: "numeric", name: 7 }, numeric("power", { unit: "W" })]));
    expect(selectors(lampOf(dialect))).toEqual(["Settings:0.state", "Electricity:0.watts"]);
    expect(dialect.ignored).toEqual({ badExpose: 1 });
    expect(dialect.problems).toEqual([
      expect.stringMatching(/^z\/bridge\/devices: kitchen\/lamp: definition\.exposes\.1\.name: /),
    ]);
    say(dialect, "devices", [listed([state, { type: "numeric", name: 7 }, numeric("power", { unit: "W" })])]);
    expect(dialect.problems).toHaveLength(1);
  });

  test("names at most fifty problems, each of a length that people read", () => {
    const bad = Array.from({ length: 60 }, (_, n) => ({ friendly_name: `${n} ${"x".repeat(400)}` }));
    const { problems, ignored } = dialectWith(...bad);
    expect([problems.length, Math.max(...problems.map((each) => each.length)), ignored]).toEqual([
      50,
      300,
      { badDevice: 60 },
    ]);
  });
});

test("settings that are cut off change nothing, and are a problem", () => {
  const dialect = dialectWith(listed([state]));
  say(dialect, "info", { config: { availability: true } });
  const before = lampOf(dialect);
  say(dialect, "info", '{"config":{"availability":fal');
  expect(lampOf(dialect)).toBe(before);
  expect(dialect.problems).toEqual(["z/bridge/info: the message is cut off or no JSON; the settings from before hold"]);
});

describe("with the output by attributes", () => {
  const output = (dialect: Dialect, advanced: object): MqttDevice => {
    say(dialect, "info", { config: { advanced } });
    return lampOf(dialect);
  };
  const exposes = [
    { type: "switch", features: [state] },
    numeric("power", { unit: "W", access: 5 }),
    binary("occupancy", "true", "false"),
    {
      ...{ type: "composite", name: "auto_off", property: "auto_off", access: 7 },
      features: [numeric("minutes", { access: 7 })],
    },
    { type: "light", features: [colorTemp, colour("color_xy", "x", "y")] },
    { type: "enum", name: "action", property: "action", access: 1, values: ["single", "dial"] },
  ];
  const dialect = dialectWith(listed(exposes));
  const device = output(dialect, { output: "attribute", last_seen: "epoch" });

  test.for<[selector: string, topic: string, text: string, value: unknown]>([
    ["Switch.on", "state", "ON", true],
    ["Switch.on", "state", "", null],
    ["Electricity.watts", "power", "12.5", 12.5],
    ["Electricity.watts", "power", "NaN", null],
    ["Occupancy.occupied", "occupancy", "false", false],
    ["Settings.autoOffMinutes", "auto_off-minutes", "3", 3],
    ["LightTemperature.kelvin", "color_temp", "250", 4000],
    ["LightColor.hue", "color-hue", "120", 120],
    ["LightColor.saturation", "color-saturation", "255", null],
    ["Button.event", "action", "single", "press"],
    ["Button.event", "action", "", undefined],
    ["Readings.action", "action", "dial", "dial"],
    ["Readings.lastSeen", "last_seen", "1795528721000", "2026-11-24 13:58:00Z"],
  ])("%s is read on the topic %s: %j is %j", ([selector, topic, text, value]) => {
    const { state: reported } = find(device, selector);
    expect([reported?.topic, reported?.read(new Payload(text))]).toEqual([`z/kitchen/lamp/${topic}`, value]);
  });

  test("a colour holds while the mode is that of a colour", () => {
    const holds = (selector: string, mode: string) =>
      find(device, selector).state?.holds?.[0]?.topics.map(({ topic, read }) => [topic, read(new Payload(mode))]);
    const topic = "z/kitchen/lamp/color_mode";
    expect(holds("LightColor.hue", "color_temp")).toEqual([[topic, false]]);
    expect(holds("LightColor.hue", "xy")).toEqual([[topic, true]]);
    expect(holds("LightTemperature.kelvin", "hs")).toEqual([[topic, false]]);
    expect(holds("LightTemperature.kelvin", "color_temp")).toEqual([[topic, true]]);
    expect(holds("Electricity.watts", "color_temp")).toBeUndefined();
  });

  test("a device is set and asked as otherwise", () => {
    expect(find(device, "Switch.on").set?.(true, () => undefined)).toEqual({
      ...{ topic: "z/kitchen/lamp/set", payload: '{"state":"ON"}' },
    });
    expect(find(device, "Electricity.watts").ask).toEqual({ topic: "z/kitchen/lamp/get", payload: '{"power":""}' });
  });

  test.for([["json"], ["attribute_and_json"]] as const)("%s reads JSON", ([word]) => {
    expect(find(output(dialectWith(listed(exposes)), { output: word }), "Switch.on").state?.topic).toBe(
      "z/kitchen/lamp",
    );
  });

  test("a word for it that the hub does not know is a problem in words", () => {
    const other = dialectWith(listed(exposes));
    output(other, { output: "cbor" });
    expect(other.problems).toEqual([
      'z/bridge/info: config.advanced.output is "cbor", which the hub does not know; it reads JSON',
    ]);
    expect(other.devices.has(LAMP_ID)).toBe(true);
  });
});
