import type { PropertyItem, ServiceClass } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { type Settable, settables, summaryOf } from "./summary.ts";

const of = (property: Partial<Settable["property"]>, ...values: unknown[]): Settable => ({
  service: "Any",
  property: { property: "on", title: "Power", type: "boolean", access: ["read", "write"], ...property },
  items: values.map((value) => ({ property: property.property ?? "on", value }) as PropertyItem),
});

describe("the values of many devices", () => {
  it.each([
    [of({}, false, true, true), "2 on, 1 off"],
    [of({}, true, true), "all on"],
    [of({}, false), "off"],
    [of({ property: "locked" }, true, false), "1 locked, 1 unlocked"],
    [of({ property: "turbo" }, true, false), "1 yes, 1 no"],
    [of({ unit: "°C" }, 21, 19.5, 20), "19.5 to 21 °C"],
    [of({ unit: "%" }, 50, 50), "50 %"],
    [of({ unit: "deg" }, 10, 20), "10 to 20°"],
    [of({}, 0.1 + 0.2), "0.3"],
    [of({ property: "mode" }, "heat", "off", "heat"), "2 heat, 1 off"],
    [of({}, { a: 1 }), '{"a":1}'],
  ])("are told in a few words: %#", (given, said) => expect(summaryOf(given)).toBe(said));
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
      properties: [property("position", "read", "write"), property("movement", "read")],
    },
    { service: "Motion", title: "Motion", properties: [property("detected", "read")] },
    { service: "Fan", title: "Fan", properties: [property("on", "read", "write")] },
  ];

  it("is what can be written and some device in it has", () => {
    const items = ["position", "movement"].map((each) => ({ service: "Cover", property: each }) as PropertyItem);
    const found = settables(catalogue, items);
    expect(found.map((each) => `${each.service}.${each.property.property} ${each.items.length}`)).toEqual([
      "Cover.position 1",
    ]);
  });
});
