import type { ServiceClass, ServiceDescriptor } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { type Settable, settables, summaryOf } from "./control-summary.ts";

const of = (property: Partial<Settable["property"]>, ...values: unknown[]): Settable => ({
  service: "Any",
  property: { property: "on", title: "Power", type: "boolean", access: ["read", "write"], ...property },
  items: values.map((value) => ({ deviceId: "dev_1", value })),
});

describe("the values of many devices", () => {
  it.each([
    [of({}, false, true, true), "2 of 3 on"],
    [of({}, undefined, true, false), "1 of 3 on, 1 unknown"],
    [of({}, undefined, undefined), "all unknown"],
    [of({}, true, true), "all on"],
    [of({}, false), "off"],
    [of({ property: "locked" }, true, false), "1 of 2 locked"],
    [of({ property: "turbo" }, true, false), "1 of 2 yes"],
    [of({ unit: "°C" }, 21, 19.5, 20), "19.5 to 21 °C"],
    [of({ unit: "%" }, 50, 50), "50 %"],
    [of({ unit: "deg" }, 10, 20), "10 to 20°"],
    [of({}, 0.1 + 0.2), "0.3"],
    [of({ property: "mode" }, "heat", "off", "heat"), "2 heat, 1 off"],
    [of({}, { a: 1 }), '{"a":1}'],
  ])("are summarized: %#", (given, summary) => expect(summaryOf(given)).toBe(summary));
});

describe("what can be set for a whole zone", () => {
  const property = (name: string, ...access: ("read" | "write")[]) => ({
    property: name,
    title: name,
    type: "boolean" as const,
    access,
  });
  const catalogue: ServiceClass[] = [
    {
      service: "Cover",
      title: "Cover",
      properties: [property("position", "read", "write")],
      optional: [property("target", "read", "write")],
    },
    { service: "Fan", title: "Fan", properties: [property("on", "read", "write")] },
  ];
  const cover = (position: "write" | "read", ...more: ReturnType<typeof property>[]): ServiceDescriptor => ({
    service: "Cover",
    index: "0",
    properties: [property("position", position), ...more],
  });

  it("is each property that can be written on a device in it, by that device's descriptor, with or without a value", () => {
    const found = settables(catalogue, [
      ["dev_1", [cover("write")]],
      ["dev_2", [cover("read", property("target", "write"))]],
      ["dev_3", []],
    ]);
    expect(
      found.map(({ service, property: { property: name }, items }) => [`${service}.${name}`, items.length]),
    ).toEqual([
      ["Cover.position", 1],
      ["Cover.target", 1],
    ]);
  });
});
