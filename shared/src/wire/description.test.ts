import { describe, expect, test } from "vitest";
import { CATALOGUE, type DeviceDescription, type Value } from "../model/index.ts";
import { decodeServices, encodeServices } from "./description.ts";
import { frameSize } from "./framing.ts";
import { decodeBody, encodeMessage } from "./messages.ts";

const everything: DeviceDescription = [...CATALOGUE]
  .filter(([service]) => service !== "Identify")
  .map(([service, properties]) => ({ service, index: "0", properties }));
const own = {
  service: "Kettle",
  index: "7",
  properties: [
    {
      property: "target",
      type: "number",
      unit: "°C",
      min: 40,
      max: 100,
      step: 0.5,
      access: ["read", "write", "notify"],
    },
    { property: "state", type: "string", values: ["idle", "boiling"], access: ["read", "notify"] },
    { property: "plan", type: "json", access: ["write"] },
  ],
} as const satisfies DeviceDescription[number];

describe("a description", () => {
  test("of everything in the catalogue is names only, and comes back", () => {
    const parts = encodeServices(everything, {}, 4095);
    expect(JSON.stringify(parts)).not.toContain('"n":');
    expect(decodeServices(parts)).toEqual({ services: everything, about: {}, leftOut: 0, problems: [] });
  });

  test("says in full what is not exactly as in the catalogue", () => {
    const dimmer = {
      property: "level",
      type: "number",
      unit: "%",
      min: 10,
      max: 100,
      access: ["read", "write", "notify"],
    } as const;
    const [part] = encodeServices(
      [{ service: "LightLevel", index: "0", properties: [dimmer] }],
      { name: "Lamp" },
      4095,
    );
    expect(part).toEqual({
      services: [{ s: "LightLevel", i: 0, p: [{ n: "level", t: "number", a: 7, u: "%", lo: 10, hi: 100 }] }],
      about: { nm: "Lamp" },
    });
  });

  test.each([128, 200, 512])("is cut into parts that fit a frame of %i bytes, and joined again", (max) => {
    const about = { manufacturer: "Porchlight", name: "Kitchen" };
    const parts = encodeServices([own, ...everything], about, max);
    expect(parts.length).toBeGreaterThan(1);
    parts.forEach((part, at) => {
      const message = { type: "DESCRIPTION", seq: 65535, device: 127, part: at, parts: parts.length, ...part } as const;
      const body = encodeMessage(message);
      expect(frameSize(body)).toBeLessThanOrEqual(max);
      expect(decodeBody(body)).toEqual({ kind: "message", message });
    });
    expect(decodeServices(parts)).toEqual({ services: [own, ...everything], about, leftOut: 0, problems: [] });
  });

  test("of which one property does not fit a frame cannot be sent", () => {
    const values = Array.from({ length: 20 }, (_, at) => `a-rather-long-word-${at}`);
    const property = { property: "word", type: "string", values, access: ["read"] } as const;
    expect(() => encodeServices([{ service: "A", index: "0", properties: [property] }], {}, 128)).toThrow("A.word");
  });
});

describe("what breaks the bounds or contradicts itself is left out, counted, and the rest is used", () => {
  const good = { n: "good", t: "number", a: 1 };
  const bad: [string, Value][] = [
    ["lo above hi", { n: "bad", t: "number", a: 1, lo: 2, hi: 1 }],
    ["a range of a text", { n: "bad", t: "string", a: 1, lo: 1 }],
    ["a step of nothing", { n: "bad", t: "number", a: 1, st: 0 }],
    ["a text as a bound", { n: "bad", t: "number", a: 1, hi: "1" }],
    ["no access at all", { n: "bad", t: "number", a: 0 }],
    ["no type", { n: "bad", a: 1 }],
    ["a type that there is not", { n: "bad", t: "colour", a: 1 }],
    ["a name with a space", { n: "b ad", t: "number", a: 1 }],
    ["a name of 65 characters", { n: "b".repeat(65), t: "number", a: 1 }],
    ["a unit of 17 characters", { n: "bad", t: "number", a: 1, u: "u".repeat(17) }],
    ["an allowed value of another type", { n: "bad", t: "string", a: 1, en: ["a", 1] }],
    ["an allowed value of 65 characters", { n: "bad", t: "string", a: 1, en: ["a".repeat(65)] }],
    ["an allowed value outside the range", { n: "bad", t: "number", a: 1, hi: 1, en: [2] }],
    ["no allowed value at all", { n: "bad", t: "string", a: 1, en: [] }],
    ["a property twice", { ...good, t: "boolean" }],
    ["a name that no standard class has", "on"],
    ["a property that is a number", 7],
  ];
  test.each(bad)("%s", (_, property) => {
    const decoded = decodeServices([{ services: [{ s: "A", i: 0, p: [good, property] }] }]);
    expect(decoded).toMatchObject({ services: [{ service: "A", properties: [{ property: "good" }] }], leftOut: 1 });
    expect(decoded.problems).toHaveLength(1);
  });

  test.each([
    ["a service without a name", { i: 0, p: [good] }],
    ["a service whose index is 1000", { s: "A", i: 1000, p: [good] }],
    ["a service without properties", { s: "A", i: 0 }],
    ["Identify, which is the hub's own", { s: "Identify", i: 0, p: ["active"] }],
    ["a service that is a text", "Switch"],
  ] as [string, Value][])("%s", (_, service) => {
    const decoded = decodeServices([{ services: [service, { s: "B", i: 0, p: [good] }] }]);
    expect(decoded).toMatchObject({ services: [{ service: "B" }], leftOut: 1 });
  });

  test("the 65th service, the 65th property, the 65th part", () => {
    const services = Array.from({ length: 65 }, (_, i) => ({ s: "A", i, p: [good] }));
    expect(decodeServices([{ services }])).toMatchObject({ services: { length: 64 }, leftOut: 1 });
    const p = Array.from({ length: 65 }, (_, at) => ({ ...good, n: `p${at}` }));
    expect(decodeServices([{ services: [{ s: "A", i: 0, p }] }]).services[0]?.properties).toHaveLength(64);
    const parts = Array.from({ length: 65 }, (_, i) => ({ services: i === 64 ? [{ s: "A", i, p: [good] }] : [] }));
    expect(decodeServices(parts)).toMatchObject({ services: [], leftOut: 1 });
  });

  test("a text of what a device says of itself that is too long", () => {
    const about = { mf: "m".repeat(65), nm: "Lamp", mo: 7, xx: "later" };
    expect(decodeServices([{ services: [], about }])).toMatchObject({ about: { name: "Lamp" }, leftOut: 2 });
  });

  test("a hundred thousand bad entries are counted and few are listed", () => {
    const decoded = decodeServices([{ services: Array.from({ length: 100_000 }, () => 7) }]);
    expect([decoded.leftOut, decoded.problems.length]).toEqual([100_000, 20]);
  });

  test("access bits of a later version are passed over", () => {
    const decoded = decodeServices([{ services: [{ s: "A", i: 0, p: [{ n: "x", t: "number", a: 9 }] }] }]);
    expect(decoded.services[0]?.properties[0]?.access).toEqual(["read"]);
  });
});
