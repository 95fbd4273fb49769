/** Which control a property gets. */
import type { PropertyDescriptor } from "@porchlight/shared/api";
import { CATALOGUE, OPTIONAL_PROPERTIES } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { controlOf, snapped, wheelOf } from "./control-of.ts";

const writable = (more: Partial<PropertyDescriptor>): PropertyDescriptor => ({
  property: "own",
  type: "number",
  access: ["read", "write", "notify"],
  ...more,
});

describe("a property that can be set", () => {
  test.each<[string, Partial<PropertyDescriptor>, unknown]>([
    ["a switch, if it is yes or no", { type: "boolean" }, { kind: "switch" }],
    ["a slider, if it has both ends", { min: 0, max: 100 }, { kind: "slider", track: "plain", range: { step: 0.5 } }],
    ["a slider of its own step", { min: 40, max: 100, step: 5 }, { kind: "slider", range: { step: 5 } }],
    ["a slider of whole numbers", { type: "integer", min: 0, max: 10 }, { kind: "slider", range: { step: 1 } }],
    ["a number to be typed, without an end", { min: 0 }, { kind: "number", isInteger: false }],
    ["a number to be typed, if there is nothing between its ends", { min: 3, max: 3 }, { kind: "number" }],
    ["segments, if it has a few short words", { type: "string", values: ["off", "heat"] }, { shape: "segments" }],
    ["a list, if it has many", { type: "string", values: ["a", "b", "c", "d", "e"] }, { shape: "list" }],
    ["a list, if its words are long", { type: "string", values: ["x".repeat(20), "y".repeat(20)] }, { shape: "list" }],
    ["a list, if two read alike", { type: "json", values: [1, "1"] }, { shape: "list" }],
    ["a field, if it is text", { type: "string" }, { kind: "text" }],
    ["no control, if its type is of a newer service", { type: "list" as "json" }, { kind: "reading" }],
    ["a field of JSON, if it is anything", { type: "json" }, { kind: "json" }],
  ])("gets %s", (_, more, expected) => {
    expect(controlOf("Own", writable(more))).toMatchObject(expected as object);
  });

  test("of a colour or a warmth gets a track that shows it", () => {
    const track = (service: string, property: string) => {
      const found = CATALOGUE.get(service)?.find((each) => each.property === property);
      return found && controlOf(service, found as PropertyDescriptor);
    };
    expect(track("LightColor", "hue")).toMatchObject({ track: "hue", range: { min: 0, max: 360, step: 1 } });
    expect(track("LightColor", "saturation")).toMatchObject({ track: "plain" });
    expect(track("LightTemperature", "kelvin")).toMatchObject({ track: "kelvin", range: { step: 50 } });
    expect(track("Thermostat", "target")).toMatchObject({ track: "plain", range: { step: 0.1 } });
  });
});

describe("a property that cannot be set", () => {
  const reading = writable({ type: "boolean", access: ["read", "notify"] });
  const press = writable({ type: "string", values: ["press", "long"], access: ["notify"] });

  test("is read, and of a virtual device set by hand", () => {
    expect(controlOf("Contact", reading)).toEqual({ kind: "reading" });
    expect(controlOf("Contact", reading, true)).toEqual({ kind: "switch" });
  });

  test("and is over when it has happened, can be made to happen on a virtual device only", () => {
    expect(controlOf("Button", press)).toEqual({ kind: "occurrence", values: [] });
    expect(controlOf("Button", press, true)).toEqual({ kind: "occurrence", values: ["press", "long"] });
  });
});

test("every property of the catalogue has a control", () => {
  for (const [service, properties] of [...CATALOGUE, ...OPTIONAL_PROPERTIES])
    for (const each of properties)
      for (const isPlayed of [false, true])
        expect(controlOf(service, each as PropertyDescriptor, isPlayed)).toBeDefined();
});

test("a colour wheel needs hue and saturation, both to be set", () => {
  const color = (access: PropertyDescriptor["access"]) => ({
    service: "LightColor",
    index: "0",
    properties: [
      writable({ property: "hue", min: 0, max: 360 }),
      writable({ property: "saturation", min: 0, max: 100, access }),
    ],
  });
  expect(wheelOf(color(["read", "write"]))).toMatchObject({ hue: { max: 360 }, saturation: { max: 100 } });
  expect(wheelOf(color(["read"]))).toBeUndefined();
  expect(wheelOf({ ...color(["read", "write"]), service: "Paint" })).toBeUndefined();
});

test("a value snaps to what the range has, without a tail of decimals", () => {
  expect(snapped(0.30000000000000004, { min: 0, max: 1, step: 0.1 })).toBe(0.3);
  expect(snapped(62, { min: 40, max: 100, step: 5 })).toBe(60);
  expect(snapped(-5, { min: 0, max: 10, step: 3 })).toBe(0);
  expect(snapped(99, { min: 0.5, max: 10, step: 1 })).toBe(10);
  expect(snapped(0.5e-7, { min: 0, max: 1e-6, step: 1e-7 })).toBe(1e-7);
});
