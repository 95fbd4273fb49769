/** What a virtual device may be described with, and what the catalogue adds. */
import type { NewProperty, NewService } from "@porchlight/shared/api";
import { isNamed } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { completeDescription } from "./create-device.ts";

const of = (service: string, properties?: (string | NewProperty)[], index = "0"): NewService => ({
  service,
  index,
  ...(properties && { properties }),
});

/** Name and pointers of the refusal. */
function refusalOf(services: readonly NewService[]): string {
  try {
    completeDescription(services);
  } catch (error) {
    if (isNamed(error)) return [error.name, ...(error.errors ?? []).map(({ pointer }) => pointer)].join(" ");
    throw error;
  }
  return "accepted";
}

describe("a virtual device's description", () => {
  it("has all properties of a standard class that is named alone", () => {
    const { description } = completeDescription([of("LightColor")]);
    expect(description).toMatchObject([
      {
        service: "LightColor",
        index: "0",
        properties: [
          { property: "hue", type: "number", unit: "deg", min: 0, max: 360, access: ["read", "write", "notify"] },
          { property: "saturation", type: "number", unit: "%" },
        ],
      },
    ]);
  });

  it("takes from the catalogue what a standard property leaves out, and keeps what it states", () => {
    const { description } = completeDescription([of("LightColor", ["hue", { property: "saturation", max: 50 }])]);
    expect(description[0]?.properties).toMatchObject([
      { property: "hue", max: 360 },
      { property: "saturation", type: "number", min: 0, max: 50, unit: "%" },
    ]);
  });

  it("describes a custom property as readable and reported, unless it states more", () => {
    const { description, values } = completeDescription([
      of("Aquarium", [{ property: "level", type: "integer", value: 3 }], "7"),
    ]);
    expect(description[0]?.properties[0]).toEqual({ property: "level", type: "integer", access: ["read", "notify"] });
    expect(values).toEqual([{ key: "Aquarium:7.level", value: 3 }]);
  });

  it.each<[string, NewService[], string]>([
    ["a class that is not standard without properties", [of("Aquarium")], "/services/0/properties"],
    ["a property of its own without a type", [of("Aquarium", ["level"])], "/services/0/properties/0/type"],
    [
      "another type than the standard one",
      [of("Switch", [{ property: "on", type: "string" }])],
      "/services/0/properties/0/type",
    ],
    ["one service twice", [of("Switch"), of("Switch")], "/services/1"],
    ["one property twice", [of("LightColor", ["hue", "hue"])], "/services/0/properties/1"],
    [
      "a range that is empty",
      [of("Tank", [{ property: "a", type: "number", min: 2, max: 1 }])],
      "/services/0/properties/0/min",
    ],
    ["a range of a text", [of("Tank", [{ property: "a", type: "string", max: 1 }])], "/services/0/properties/0"],
    [
      "values of another type",
      [of("Tank", [{ property: "a", type: "string", values: [1] }])],
      "/services/0/properties/0/values",
    ],
  ])("refuses %s, and says where", (_what, services, pointer) => {
    expect(refusalOf(services)).toBe(`Body Parameters Invalid ${pointer}`);
  });

  it("refuses an initial value that the property cannot have, by its own name", () => {
    expect(refusalOf([of("LightColor", [{ property: "hue", value: 400 }])])).toBe(
      "Property Value Invalid /services/0/properties/0/value",
    );
  });

  it("takes several instances of one class", () => {
    expect(refusalOf([of("Switch"), of("Switch", undefined, "1")])).toBe("accepted");
  });

  it("has at most 512 properties", () => {
    const many = Array.from({ length: 64 }, (_, n) => ({ property: `p${n}`, type: "number" as const }));
    expect(refusalOf(Array.from({ length: 8 }, (_, n) => of(`Tank${n}`, many)))).toBe("accepted");
    expect(refusalOf(Array.from({ length: 9 }, (_, n) => of(`Tank${n}`, many)))).toBe(
      "Body Parameters Invalid /services",
    );
  });
});
