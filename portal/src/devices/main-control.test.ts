/** What a person sets most of a device. */
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { agreementOf, agreementWords, mainControlsOf } from "./main-control.ts";

const on = (value?: boolean): PropertyDescriptor => ({
  ...{ property: "on", type: "boolean", access: ["read", "write"] },
  ...(value !== undefined && { value }),
});
const level = (property: string, ...access: PropertyDescriptor["access"]): PropertyDescriptor => ({
  ...{ property, type: "number", access, min: 0, max: 100 },
});
const service = (name: string, properties: PropertyDescriptor[], index = "0"): ServiceDescriptor => ({
  ...{ service: name, index, properties },
});
const found = (...services: ServiceDescriptor[]) => {
  const { toggles, level: amount } = mainControlsOf("dev_1", services);
  const name = ({ target }: (typeof toggles)[number]) => `${target.service}:${target.index}.${target.property}`;
  return [toggles.map(name), amount && name(amount)];
};

describe("the main control", () => {
  test("of a lamp is its switch and its brightness", () => {
    expect(found(service("LightLevel", [level("level", "read", "write")]), service("Switch", [on()]))).toEqual([
      ["Switch:0.on"],
      "LightLevel:0.level",
    ]);
  });

  test("of a cover that is moved by its target is that, for its position cannot be set", () => {
    const cover = service("Cover", [level("position", "read"), level("target", "read", "write")]);
    expect(found(cover)).toEqual([[], "Cover:0.target"]);
  });

  test("is none for a read-only property, or one without a range", () => {
    const { min: _least, ...unbounded } = level("target", "write");
    expect(found(service("Switch", [{ ...on(), access: ["read"] }]), service("Thermostat", [unbounded]))).toEqual([
      [],
      undefined,
    ]);
  });

  test("has two switches at most", () => {
    const gangs = ["0", "1", "2"].map((index) => service("Switch", [on()], index));
    expect(found(...gangs)).toEqual([["Switch:0.on", "Switch:1.on"], undefined]);
  });
});

test.each([
  [[true, true, true], "all on"],
  [[true], "on"],
  [[false], "off"],
  [[false, false], "all off"],
  [[true, false, true, true], "3 of 4 on"],
  [[true, undefined], "1 of 2 on, 1 unknown"],
  [[undefined, undefined], "0 of 2 on, 2 unknown"],
])("switches that are %j are summarized as %s", (values, words) => {
  const toggles = values.flatMap((value) => mainControlsOf("dev_1", [service("Switch", [on(value)])]).toggles);
  expect(agreementWords(agreementOf(toggles))).toBe(words);
});
