import { describe, expect, test } from "vitest";
import { described, deviceWith, onlyDevice, propertyAt, read } from "../discovery.fixture.ts";

describe("an event", () => {
  test("of buttons is in the catalogue's words, a Button for each", () => {
    const device = deviceWith("event", { state_topic: "s", event_types: ["1_single", "1_double", "2_hold", "2_spin"] });
    expect(described(device)).toEqual({ "Button:0.event": "n", "Button:1.event": "n", "Readings:0.it": "n" });
    expect(propertyAt(device, "Button:0.event").description.values).toEqual(["press", "double"]);
    const says = (event_type: string) =>
      ["Button:0.event", "Button:1.event", "Readings.it"].map((property) => read(device, property, { event_type }));
    expect(["1_double", "2_hold", "2_spin", "x"].map(says)).toEqual([
      ["double", undefined, undefined],
      [undefined, "long", undefined],
      [undefined, undefined, "2_spin"],
      [undefined, undefined, undefined],
    ]);
    expect(read(device, "Button:0.event", "1_double")).toBeUndefined();
  });
});

describe("triggers", () => {
  const device = { identifiers: "remote" };
  const trigger = (type: string, subtype: string, options: object) => ({
    automation_type: "trigger",
    type,
    subtype,
    device,
    ...options,
  });

  test("of one button are one Button, of several several", () => {
    const remote = onlyDevice({
      "device_automation/r/a": trigger("button_short_press", "button_1", { topic: "r/1", payload: "S" }),
      "device_automation/r/b": trigger("button_long_press", "button_1", { topic: "r/1", payload: "L" }),
      "device_automation/r/c": trigger("button_double_press", "button_2", { topic: "r/2" }),
    });
    expect(described(remote)).toEqual({ "Button:0.event": "n", "Button:1.event": "n" });
    expect(["S", "L", "x", ""].map((word) => read(remote, "Button:0.event", word))).toEqual([
      "press",
      "long",
      undefined,
      undefined,
    ]);
    expect(["", "anything"].map((word) => read(remote, "Button:1.event", word))).toEqual([undefined, "double"]);
    expect(propertyAt(remote, "Button:0.event").description.values).toEqual(["press", "long"]);
  });

  test("of zigbee2mqtt say all in their subtype; those of no button are counted", () => {
    const action = (subtype: string) => trigger("action", subtype, { topic: "z/remote/action", payload: subtype });
    const remote = onlyDevice({
      "device_automation/0x/action_single": action("single"),
      "device_automation/0x/action_hold": action("hold"),
      "device_automation/0x/action_shake": action("shake"),
    });
    expect(propertyAt(remote, "Button.event").description.values).toEqual(["press", "long"]);
    expect(read(remote, "Button.event", "hold")).toBe("long");
    expect(remote.leftAside).toEqual({ otherTrigger: 1 });
  });
});
