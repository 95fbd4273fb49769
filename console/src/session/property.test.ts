/** What a person writes is what the property takes. */
import { type CallOptions, PorchlightError, type PorchlightErrorName } from "@porchlight/sdk";
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { seededRandom } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { Failure } from "./failure.ts";
import { atOnce, descriptionOf, meantValue, nameOf, withUnit } from "./property.ts";

const property = (type: PropertyDescriptor["type"], more: Partial<PropertyDescriptor> = {}): PropertyDescriptor => ({
  ...{ property: "x", type, access: ["read", "write"] },
  ...more,
});

describe("a value", () => {
  it.each([
    ["boolean", "on", true],
    ["boolean", "Off", false],
    ["boolean", "true", true],
    ["boolean", "no", false],
    ["number", "-3.5", -3.5],
    ["number", ".5", 0.5],
    ["integer", "2700", 2700],
    ["string", "true", "true"],
    ["string", "12", "12"],
    ["json", '{"a":[1]}', { a: [1] }],
    ["json", "plain", "plain"],
  ] as const)("of type %s is meant by %j", (type, text, value) => {
    expect(meantValue(text, property(type))).toEqual(value);
  });

  it.each([
    ["boolean", "1"],
    ["number", "blue"],
    ["number", ""],
    ["number", "0x10"],
    ["integer", "Infinity"],
  ] as const)("of type %s is not meant by %j, which is refused and not a wrong command line", (type, text) => {
    expect(() => meantValue(text, property(type))).toThrow(
      expect.toSatisfy((failure) => failure instanceof Failure && failure.exit === "refused"),
    );
  });

  it("that does not exist is answered with the existing ones", () => {
    const hue = property("number", { min: 0, max: 360, unit: "deg" });
    expect(() => meantValue("blue", hue)).toThrow(
      expect.objectContaining({ remedy: "give a number from 0 to 360 (deg)" }),
    );
  });

  it("of a property that is not described is left to the service", () => {
    expect([meantValue("120", undefined), meantValue("blue", undefined)]).toEqual([120, "blue"]);
  });
});

describe("a selector", () => {
  const services: ServiceDescriptor[] = ["0", "1"].map((index) => ({
    ...{ service: "Switch", index },
    properties: [property("boolean", { property: "on", unit: index })],
  }));

  it.each([
    ["Switch.on", "0"],
    ["Switch:1.on", "1"],
    ["Switch:2.on", undefined],
    ["Switch", undefined],
    ["Switch.off", undefined],
    ["not one", undefined],
  ])("%s finds the description of instance %s", (selector, unit) => {
    expect(descriptionOf(services, selector)?.unit).toBe(unit);
  });

  it("is written as the API takes it, without the index of the first", () => {
    expect(["0", "1"].map((index) => nameOf({ service: "Switch", index, property: "on" }))).toEqual([
      ...["Switch.on", "Switch:1.on"],
    ]);
  });
});

it("units stand as people write them", () => {
  expect([withUnit(120, "deg"), withUnit(60, "%"), withUnit("open", undefined), withUnit(true, undefined)]).toEqual([
    ...["120°", "60 %", "open", "true"],
  ]);
});

describe("what is asked of a device", () => {
  /** A call that fails as requested, and then goes well; gives what each try was asked with. */
  async function tries(...failures: PorchlightErrorName[]) {
    const asked: CallOptions[] = [];
    const call = async (options: CallOptions) => {
      asked.push(options);
      const failure = failures[asked.length - 1];
      if (failure) throw new PorchlightError(failure, "");
    };
    const ended = await atOnce({ random: seededRandom(1) }, call).then(
      () => "done",
      (failure: Error) => failure.name,
    );
    return { ended, asked };
  }

  it("is answered at once for an offline hub", async () => {
    const { ended, asked } = await tries("Hub Offline");
    expect({ ended, retries: asked.map(({ retries }) => retries) }).toEqual({ ended: "Hub Offline", retries: [0] });
  });

  it("is asked again after a broken connection, as the same request", async () => {
    const { ended, asked } = await tries("Connection Failed");
    expect(ended).toBe("done");
    expect(asked.map(({ retries }) => retries)).toEqual([0, undefined]);
    expect(asked[1]?.idempotencyKey).toBe(asked[0]?.idempotencyKey);
  });

  it("is not asked again after a refusal", async () => {
    expect((await tries("Property Value Invalid")).asked).toHaveLength(1);
  });
});
