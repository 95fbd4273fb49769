/** Which values tell how a device is. */
import type { ServiceDescriptor } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { type TellingValue, tellingOf, valuesOf } from "./telling.ts";

const item = (name: string, value: TellingValue["value"], index = "0"): TellingValue => {
  const [service = "", property = ""] = name.split(".");
  return { service, index, property, type: "json", access: ["read"], value };
};
const names = (items: TellingValue[]) =>
  tellingOf(items).map((each) => (each.kind === "colour" ? "colour" : `${each.item.service}.${each.item.property}`));

describe("the most informative values", () => {
  test("are what a person looks for first, colour as one", () => {
    const lamp = ["Identify.active", "LightColor.saturation", "LightColor.hue", "LightLevel.level", "Switch.on"];
    expect(names(lamp.map((name) => item(name, 1)))).toEqual(["Switch.on", "LightLevel.level", "colour"]);
    expect(names([item("LightColor.saturation", 5)])).toEqual(["LightColor.saturation"]);
  });

  test("are a low battery before all, and a good one at the end", () => {
    const door = (isLow: boolean) => [
      item("Battery.low", isLow),
      item("Battery.percent", 93),
      item("Contact.open", false),
    ];
    expect(names(door(false))).toEqual(["Contact.open", "Battery.percent"]);
    expect(names(door(true))[0]).toBe("Battery.low");
  });

  test("are those of classes of one's own too, and none of what only serves the device", () => {
    const quiet = [item("Signal.rssi", -60), item("Readings.linkquality", 200), item("Settings.effect", "blink")];
    expect(names([...quiet, item("Kettle.target", 95)])).toEqual(["Kettle.target"]);
  });
});

test("a property without a value is left out", () => {
  const properties: ServiceDescriptor["properties"] = [
    { property: "on", type: "boolean", access: ["read"] },
    { property: "startUp", type: "string", access: ["read"], value: "off" },
  ];
  expect(valuesOf([{ service: "Switch", index: "1", properties }])).toMatchObject([
    { service: "Switch", index: "1", property: "startUp", value: "off" },
  ]);
});
