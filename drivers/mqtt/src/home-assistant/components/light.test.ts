import { describe, expect, test } from "vitest";
import { commandFor, described, deviceWith, propertyAt, publicationFor, read } from "../discovery.fixture.ts";

describe("a light of the default schema", () => {
  const LAMP = {
    command_topic: "l/set",
    state_topic: "l/state",
    brightness_command_topic: "l/bri/set",
    brightness_state_topic: "l/bri",
    color_temp_command_topic: "l/ct/set",
    color_temp_state_topic: "l/ct",
    rgb_command_topic: "l/rgb/set",
    rgb_state_topic: "l/rgb",
    effect_command_topic: "l/fx/set",
    effect_state_topic: "l/fx",
    effect_list: ["rainbow", "solid"],
    qos: 1,
    retain: true,
  };

  test("has a property for each of its topics", () => {
    const lamp = deviceWith("light", LAMP);
    expect(described(lamp)).toEqual({
      "Switch:0.on": "rwn",
      "LightLevel:0.level": "rwn",
      "LightColor:0.hue": "rwn",
      "LightColor:0.saturation": "rwn",
      "LightTemperature:0.kelvin": "rwn",
      "Settings:0.effect": "rwn",
    });
    expect(publicationFor(lamp, "Switch.on", true)).toEqual({ topic: "l/set", payload: "ON", qos: 1, retain: true });
  });

  test.for([
    ["Switch.on", "ON", true],
    ["Switch.on", "OFF", false],
    ["Switch.on", "None", null],
    ["Switch.on", "on", true],
    ["LightLevel.level", "255", 100],
    ["LightLevel.level", "51", 20],
    ["LightLevel.level", "", null],
    ["LightColor.hue", "0,255,0", 120],
    ["LightColor.saturation", "255,128,128", 49.803922],
    ["LightColor.hue", "0,255", null],
    ["LightTemperature.kelvin", "250", 4000],
    ["LightTemperature.kelvin", "0", null],
    ["Settings.effect", "solid", "solid"],
    ["Settings.effect", "other", null],
  ] as const)("reports for %s by %j: %j", ([property, message, value]) => {
    expect(read(deviceWith("light", LAMP), property, message)).toBe(value);
  });

  test.for([
    ["Switch.on", false, "OFF"],
    ["LightLevel.level", 20, "51"],
    ["LightLevel.level", 0.1, "1"],
    ["LightLevel.level", 0, "0"],
    ["LightColor.hue", 120, "128,255,128"],
    ["LightColor.saturation", 100, "255,0,170"],
    ["LightTemperature.kelvin", 4000, "250"],
    ["Settings.effect", "rainbow", "rainbow"],
  ] as const)("is reported %s %j by %s", ([property, value, payload]) => {
    const known = { "LightColor:0.hue": 320, "LightColor:0.saturation": 50 };
    expect(publicationFor(deviceWith("light", LAMP), property, value, known)?.payload).toBe(payload);
  });

  test("of other scales, in kelvin, is in the catalogue's units", () => {
    const lamp = deviceWith("light", {
      ...LAMP,
      brightness_scale: 100,
      color_temp_kelvin: true,
      min_kelvin: 2700,
      max_kelvin: 6500,
    });
    expect(read(lamp, "LightLevel.level", "42")).toBe(42);
    expect(commandFor(lamp, "LightTemperature.kelvin", 3000)).toBe("3000");
    expect(propertyAt(lamp, "LightTemperature.kelvin").description).toMatchObject({ min: 2700, max: 6500 });
  });

  test("has the range of its mireds in kelvin, and a mired of tolerance", () => {
    const lamp = deviceWith("light", { ...LAMP, min_mireds: 153, max_mireds: 500 });
    const { description, tolerance = 0 } = propertyAt(lamp, "LightTemperature.kelvin");
    expect(description).toMatchObject({ min: 2000, max: 6536 });
    for (let kelvin = 2000; kelvin <= 6536; kelvin += 1) {
      const reported = String(commandFor(lamp, "LightTemperature.kelvin", kelvin));
      const now = read(lamp, "LightTemperature.kelvin", reported);
      expect(Math.abs(Number(now) - kelvin)).toBeLessThanOrEqual(tolerance);
    }
  });

  test("that is switched on by its brightness goes back to the last one", () => {
    const lamp = deviceWith("light", { ...LAMP, on_command_type: "brightness" });
    expect(publicationFor(lamp, "Switch.on", true, { "LightLevel:0.level": 40 })).toMatchObject({
      topic: "l/bri/set",
      payload: "102",
    });
    expect(commandFor(lamp, "Switch.on", true)).toBe("255");
    expect(publicationFor(lamp, "Switch.on", false)).toMatchObject({ topic: "l/set", payload: "OFF" });
  });

  test("without topics for its state can be set, and cannot be read", () => {
    expect(described(deviceWith("light", { command_topic: "x", brightness_command_topic: "y" }))).toEqual({
      "Switch:0.on": "w",
      "LightLevel:0.level": "w",
    });
  });

  test.for([
    ["hs", "h,s", "120,50", "120,100", 120],
    ["rgbw", "r,g,b,w", "0,255,0,9", "0,255,0,0", 120],
    ["rgbww", "r,g,b,c,w", "0,255,0,9,9", "0,255,0,0,0", 120],
    ["xy", "x,y", "0.3,0.6", "0.3,0.6", 120],
  ] as const)("that has its colour as %s is reported %s", ([key, , message, command, hue]) => {
    const lamp = deviceWith("light", {
      command_topic: "x",
      [`${key}_command_topic`]: "c",
      [`${key}_state_topic`]: "s",
    });
    expect(Math.round(Number(read(lamp, "LightColor.hue", message)))).toBe(hue);
    expect(commandFor(lamp, "LightColor.hue", 120)).toBe(command);
  });
});

describe("a light of the JSON schema", () => {
  const LAMP = {
    schema: "json",
    command_topic: "l/set",
    state_topic: "l",
    brightness: true,
    brightness_scale: 254,
    supported_color_modes: ["color_temp", "xy"],
    min_mireds: 153,
    max_mireds: 500,
    effect_list: ["blink"],
    effect: true,
  };
  const STATE = { state: "ON", brightness: 127, color: { x: 0.3, y: 0.6 }, color_temp: 250, effect: "blink" };

  test.for([
    ["Switch.on", STATE, true],
    ["Switch.on", { state: "OFF" }, false],
    ["Switch.on", { state: null }, null],
    ["Switch.on", { brightness: 1 }, undefined],
    ["LightLevel.level", STATE, 50],
    ["LightLevel.level", { state: "OFF", brightness: 127 }, 0],
    ["LightLevel.level", { brightness: null }, null],
    ["LightLevel.level", { brightness: "255" }, 100],
    ["LightLevel.level", { state: "ON" }, undefined],
    ["LightColor.hue", { color: { h: 200, s: 40 } }, 200],
    ["LightColor.saturation", { color: { r: 255, g: 0, b: 0 } }, 100],
    ["LightColor.hue", { color: null }, null],
    ["LightTemperature.kelvin", STATE, 4000],
    ["Settings.effect", STATE, "blink"],
    ["Settings.effect", { effect: "x" }, null],
    ["Switch.on", "no json", undefined],
  ] as const)("reports for %s by %j: %j", ([property, message, value]) => {
    expect(read(deviceWith("light", LAMP), property, message)).toBe(value);
  });

  test.for([
    ["Switch.on", true, { state: "ON" }],
    ["Switch.on", false, { state: "OFF" }],
    ["LightLevel.level", 50, { state: "ON", brightness: 127 }],
    ["LightLevel.level", 0, { state: "OFF" }],
    ["LightColor.hue", 0, { state: "ON", color: { x: 0.6401, y: 0.33 } }],
    ["LightTemperature.kelvin", 4000, { state: "ON", color_temp: 250 }],
    ["Settings.effect", "blink", { state: "ON", effect: "blink" }],
  ] as const)("is reported %s %j by %j", ([property, value, command]) => {
    expect(commandFor(deviceWith("light", LAMP), property, value)).toEqual(command);
  });

  test("keeps colours as points finely enough to be confirmed by them", () => {
    const lamp = deviceWith("light", LAMP);
    for (const property of ["LightColor.hue", "LightColor.saturation"]) {
      const { tolerance = 0 } = propertyAt(lamp, property);
      const isHue = property === "LightColor.hue";
      for (let value = isHue ? 0 : 20; value <= (isHue ? 359 : 100); value += 1) {
        const now = Number(read(lamp, property, commandFor(lamp, property, value, { "LightColor:0.hue": 200 })));
        const apart = Math.min(Math.abs(now - value), isHue ? 360 - Math.abs(now - value) : 100);
        expect(apart).toBeLessThanOrEqual(tolerance);
      }
    }
  });

  test.for([
    [{ supported_color_modes: ["hs"] }, { h: 120, s: 100 }],
    [{ supported_color_modes: ["rgb"] }, { r: 0, g: 255, b: 0 }],
    [{ supported_color_modes: ["rgbw"] }, { r: 0, g: 255, b: 0, w: 0 }],
    [{ supported_color_modes: ["rgbww"] }, { r: 0, g: 255, b: 0, c: 0, w: 0 }],
    [
      { supported_color_modes: undefined, hs: true },
      { h: 120, s: 100 },
    ],
  ])("of %j is reported its colour by %j", ([options, color]) => {
    expect(commandFor(deviceWith("light", { ...LAMP, ...options }), "LightColor.hue", 120)).toEqual({
      state: "ON",
      color,
    });
  });

  test("that can only be switched has no level", () => {
    const options = { schema: "json", command_topic: "x", state_topic: "y", supported_color_modes: ["onoff"] };
    expect(described(deviceWith("light", options))).toEqual({ "Switch:0.on": "rwn" });
  });
});

describe("a light of the template schema", () => {
  const LAMP = {
    schema: "template",
    command_topic: "l/set",
    state_topic: "l",
    command_on_template: "on,{{ brightness }},{{ red }}-{{ green }}-{{ blue }}",
    command_off_template: "off",
    state_template: "{{ value_json.s }}",
    brightness_template: "{{ value_json.b }}",
    red_template: "{{ value_json.r }}",
    green_template: "{{ value_json.g }}",
    blue_template: "{{ value_json.u }}",
  };

  test("reports and is set by its templates alone", () => {
    const lamp = deviceWith("light", LAMP);
    const state = { s: "on", b: 51, r: 0, g: 255, u: 0 };
    const values = ["Switch.on", "LightLevel.level", "LightColor.hue", "LightColor.saturation"].map((property) =>
      read(lamp, property, state),
    );
    expect(values).toEqual([true, 20, 120, 100]);
    expect(commandFor(lamp, "LightLevel.level", 20)).toBe("on,51,--");
    expect(read(lamp, "LightLevel.level", { ...state, s: "off" })).toBe(0);
    expect(commandFor(lamp, "LightLevel.level", 0)).toBe("off");
    expect(commandFor(lamp, "LightColor.hue", 240)).toBe("on,,0-0-255");
    expect(commandFor(lamp, "Switch.on", false)).toBe("off");
  });
});

test("a light of a schema that is none is no light", () => {
  expect(() => deviceWith("light", { schema: "other", command_topic: "x" })).toThrow("there is not just one device");
});
