import { describe, expect, test } from "vitest";
import { commandFor, described, deviceWith, propertyAt, read } from "../discovery.fixture.ts";

describe("a cover", () => {
  const COVER = { command_topic: "c", state_topic: "s" };

  test("that knows its position is set to one", () => {
    const device = deviceWith("cover", { ...COVER, position_topic: "p", set_position_topic: "p/set", name: "Blind" });
    expect(described(device)).toEqual({
      "Cover:0.position": "rwn",
      "Cover:0.movement": "rn",
      "Settings:0.blindStop": "w",
    });
    expect([read(device, "Cover.position", "30"), commandFor(device, "Cover.position", 30)]).toEqual([30, "30"]);
    expect(commandFor(device, "Settings.blindStop", true)).toBe("STOP");
  });

  test("that counts the other way round is turned round", () => {
    const turned = { position_topic: "p", set_position_topic: "p/set", position_open: 0, position_closed: 255 };
    const device = deviceWith("cover", { ...COVER, ...turned, set_position_template: '{"position": {{ position }} }' });
    expect(["0", "255", "51"].map((at) => read(device, "Cover.position", at))).toEqual([100, 0, 80]);
    expect(commandFor(device, "Cover.position", 80)).toEqual({ position: 51 });
  });

  test("that only opens and closes goes all the way", () => {
    const device = deviceWith("cover", COVER);
    expect(propertyAt(device, "Cover.position").description.values).toEqual([0, 100]);
    expect(["open", "closed", "opening", "None"].map((word) => read(device, "Cover.position", word))).toEqual([
      100,
      0,
      null,
      null,
    ]);
    expect([100, 0].map((at) => commandFor(device, "Cover.target", at))).toEqual(["OPEN", "CLOSE"]);
  });

  test("that is opening or closing has the end as its target", () => {
    const device = deviceWith("cover", { ...COVER, state_opening: "up" });
    expect(described(device)).toMatchObject({ "Cover:0.position": "rn", "Cover:0.target": "rwn" });
    expect(["up", "closing", "open", "closed", "stopped"].map((word) => read(device, "Cover.target", word))).toEqual([
      ...[100, 0, 100, 0, null],
    ]);
  });

  test("that reports a position and takes none is set to its ends", () => {
    const device = deviceWith("cover", { ...COVER, position_topic: "p" });
    expect(propertyAt(device, "Cover.position").description).toMatchObject({ step: 100, min: 0, max: 100 });
    expect(read(device, "Cover.position", "30")).toBe(30);
  });

  test("that cannot be closed is not set, and one without a stop has none", () => {
    const device = deviceWith("cover", { ...COVER, payload_close: null, payload_stop: null });
    expect(described(device)).toEqual({ "Cover:0.position": "rn", "Cover:0.movement": "rn" });
  });

  test.for([
    ["opening", "opening"],
    ["closing", "closing"],
    ["stopped", "stopped"],
    ["open", "stopped"],
    ["closed", "stopped"],
    ["x", null],
  ] as const)("reports that it is %s: it moves as %s", ([word, movement]) => {
    expect(read(deviceWith("cover", COVER), "Cover.movement", word)).toBe(movement);
  });

  test("has its tilt as a setting", () => {
    const tilt = { tilt_command_topic: "t/set", tilt_status_topic: "t", tilt_min: 10, tilt_max: 90 };
    const device = deviceWith("cover", { ...COVER, ...tilt, name: null });
    expect(propertyAt(device, "Settings.tilt").description).toMatchObject({ min: 10, max: 90 });
    expect([read(device, "Settings.tilt", "45"), commandFor(device, "Settings.tilt", 45)]).toEqual([45, "45"]);
  });
});

describe("a valve", () => {
  test("is open or closed", () => {
    const device = deviceWith("valve", { command_topic: "c", state_topic: "s" });
    expect(["open", "closed", "opening"].map((word) => read(device, "Valve.open", word))).toEqual([true, false, null]);
    expect([true, false].map((open) => commandFor(device, "Valve.open", open))).toEqual(["OPEN", "CLOSE"]);
  });

  test("that reports its position is open when it is not closed", () => {
    const device = deviceWith("valve", { command_topic: "c", state_topic: "s", reports_position: true });
    const reported = ["0", "40", { state: "opening", position: 3 }, { state: "closed" }];
    expect(reported.map((message) => read(device, "Valve.open", message))).toEqual([false, true, true, false]);
    expect([true, false].map((open) => commandFor(device, "Valve.open", open))).toEqual(["100", "0"]);
  });
});

describe("a lock", () => {
  const LOCK = { command_topic: "c", state_topic: "s" };

  test("is locked, unlocked or jammed", () => {
    const device = deviceWith("lock", LOCK);
    const reported = ["LOCKED", "UNLOCKED", "JAMMED", "LOCKING", "None"];
    expect(reported.map((word) => read(device, "Lock.locked", word))).toEqual([true, false, null, null, null]);
    expect(reported.map((word) => read(device, "Lock.jammed", word))).toEqual([false, false, true, false, null]);
    expect([true, false].map((locked) => commandFor(device, "Lock.locked", locked))).toEqual(["LOCK", "UNLOCK"]);
  });

  test("that wants a code is only watched", () => {
    const device = deviceWith("lock", { ...LOCK, code_format: "^\\d{4}$" });
    expect(described(device)).toEqual({ "Lock:0.locked": "rn", "Lock:0.jammed": "rn" });
    expect(device.leftAside).toEqual({ needsCode: 1 });
  });
});

describe("a fan", () => {
  const FAN = {
    command_topic: "c",
    state_topic: "s",
    percentage_command_topic: "p/set",
    percentage_state_topic: "p",
    speed_range_max: 4,
    preset_modes: ["auto", "sleep"],
    preset_mode_command_topic: "m/set",
    preset_mode_state_topic: "m",
    oscillation_command_topic: "o/set",
    oscillation_state_topic: "o",
    direction_command_topic: "d/set",
    direction_state_topic: "d",
    name: null,
  };

  test("has its speeds in percent of all its steps", () => {
    const device = deviceWith("fan", FAN);
    expect(["0", "1", "4", "None"].map((step) => read(device, "Fan.speed", step))).toEqual([0, 25, 100, null]);
    expect([0, 1, 30, 100].map((percent) => commandFor(device, "Fan.speed", percent))).toEqual(["0", "1", "1", "4"]);
    expect(propertyAt(device, "Fan.speed").tolerance).toBe(12.5);
  });

  test("has all else as settings", () => {
    const device = deviceWith("fan", FAN);
    expect(described(device)).toEqual({
      "Fan:0.on": "rwn",
      "Fan:0.speed": "rwn",
      "Settings:0.preset": "rwn",
      "Settings:0.oscillation": "rwn",
      "Settings:0.direction": "rwn",
    });
    expect(read(device, "Settings.oscillation", "oscillate_on")).toBe(true);
    expect(commandFor(device, "Settings.direction", "reverse")).toBe("reverse");
    expect(commandFor(device, "Settings.preset", "sleep")).toBe("sleep");
  });
});
