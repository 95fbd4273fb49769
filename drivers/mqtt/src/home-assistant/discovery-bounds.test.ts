import { addressKey, isName, standardProperty, type Value, valueProblem } from "@porchlight/shared/model";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MqttProperty } from "../device/mqtt-device.ts";
import { Payload } from "../device/payload.ts";
import { OPTION_ABBREVIATIONS } from "./abbreviations.ts";
import { discovered, onlyDevice, SCOPE, tell } from "./discovery.fixture.ts";
import { homeAssistantDialect } from "./home-assistant-dialect.ts";

const PLUG = { identifiers: ["plug"] };
const RELAY = { command_topic: "plug/set", state_topic: "plug/state", device: PLUG };

describe("a flood", () => {
  test("of topics is kept up to 20,000, and of devices up to 1,000", () => {
    const dialect = homeAssistantDialect("homeassistant", SCOPE);
    for (let each = 0; each < 20_010; each += 1) {
      const device = { identifiers: [`d${each % 1200}`] };
      tell(dialect, { [`switch/n${each}/o`]: { command_topic: `t/${each}`, device } });
    }
    expect(dialect.devices.size).toBe(1000);
    expect(dialect.ignored).toEqual({ tooManyTopics: 10, tooManyDevices: 200 });
  });

  test("of properties is cut at 64 services of 64", () => {
    const all = (component: string, count: number, options: object) =>
      Array.from({ length: count }, (_, at) => [`${component}/d/${component}${at}`, { ...options, device: PLUG }]);
    const device = onlyDevice(
      Object.fromEntries([
        ...all("number", 130, { command_topic: "n" }),
        ...all("switch", 100, { command_topic: "s" }),
      ]),
    );
    const services = new Map<string, number>();
    for (const { address } of device.properties) {
      const key = `${address.service}:${address.index}`;
      services.set(key, (services.get(key) ?? 0) + 1);
    }
    expect(services.size).toBe(64);
    expect(Math.max(...services.values())).toBe(64);
    expect(device.leftAside.tooManyProperties).toBe(39);
  });

  test("of entities of one device is looked at up to 1,024, and does not take long", () => {
    const dialect = homeAssistantDialect("homeassistant", SCOPE);
    for (let each = 0; each < 20_000; each += 1) tell(dialect, { [`number/n/o${each}`]: { ...RELAY, name: "Same" } });
    const [device] = dialect.devices.values();
    expect(device?.properties).toHaveLength(1024);
    expect(device?.leftAside).toEqual({ tooManyEntities: 20_000 - 1024 });
  });

  test("of bytes is no description, and ends the one that was", () => {
    const dialect = discovered({ "switch/a": RELAY });
    tell(dialect, { "switch/a": { ...RELAY, more: "x".repeat(65_536) } });
    expect([dialect.devices.size, dialect.ignored]).toEqual([0, { tooLarge: 1 }]);
  });

  test("of large messages is kept up to 32 Mi characters, and what is taken back is not counted", () => {
    const large = (number: number) => ({
      [`switch/o${number}`]: { command_topic: "c", more: "x".repeat(65_000), number },
    });
    const dialect = homeAssistantDialect("homeassistant", SCOPE);
    for (let each = 0; each < 520; each += 1) tell(dialect, large(each));
    const { tooMuchText = 0 } = dialect.ignored;
    const kept = dialect.devices.size;
    expect(tooMuchText).toBeGreaterThan(0);
    tell(dialect, { "switch/o0": "", ...large(519) });
    expect(dialect.ignored.tooMuchText).toBe(tooMuchText);
    expect([dialect.devices.size, dialect.devices.size + tooMuchText]).toEqual([kept, 520]);
  });
});

/** What no description may be: contradictory, or wider than the catalogue's. */
function flawsOf({ address: { service, property }, description }: MqttProperty): string[] {
  const { min, max, unit, values = [], access } = description;
  const standard = standardProperty(service, property);
  const flaws = {
    badName: !isName(property),
    noAccess: access.length === 0,
    noRange: (min ?? 0) > (max ?? min ?? 0),
    longUnit: (unit ?? "").length > 16,
    badValues: values.some((value) => valueProblem(description, value) !== undefined),
    lower: standard?.min !== undefined && (min ?? Number.NEGATIVE_INFINITY) < standard.min,
    higher: standard?.max !== undefined && (max ?? Number.POSITIVE_INFINITY) > standard.max,
    otherType: standard !== undefined && (standard.type !== description.type || standard.unit !== unit),
    moreAccess: standard !== undefined && access.some((each) => !standard.access.includes(each)),
    otherValues:
      standard?.values !== undefined &&
      (values.length === 0 || values.some((value) => !standard.values?.includes(value))),
  };
  return Object.entries(flaws).flatMap(([flaw, isFlawed]) => (isFlawed ? [`${flaw} of ${service}.${property}`] : []));
}

function samplesOf({ description: { type, min = 0, max = 100, values } }: MqttProperty): readonly Value[] {
  if (values) return values.slice(0, 2);
  if (type === "boolean") return [true, false];
  return type === "string" ? ["", "a"] : [min, max];
}

/** Undefined when it can be published, and when its template fails for the value. */
function badCommandOf({ set }: MqttProperty, value: Value): unknown {
  try {
    const publication = set?.(value, () => undefined);
    if (!publication) return undefined;
    const isGood = typeof publication.payload === "string" && !/[+#]/.test(publication.topic);
    return isGood && !publication.payload.includes("NaN") ? undefined : publication;
  } catch (failure) {
    return String(failure).startsWith("Error: The command's template fails") ? undefined : failure;
  }
}

describe("a hostile publisher", () => {
  const json = fc.json({ maxDepth: 4 });
  const known = [...OPTION_ABBREVIATIONS.keys(), ..."ids cns ~ modes options min max step schema __proto__".split(" ")];
  const often = "command_topic state_topic device name".split(" ");
  const key = fc.oneof(fc.constantFrom(...known), fc.constantFrom(...often));
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e308,
      "",
      "~",
      "a/b",
      "{{ value }}",
      "{%",
      "json",
      [],
      {},
      "__proto__",
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const component = fc.constantFrom(
    ..."light switch sensor binary_sensor cover climate lock fan number select button event valve".split(" "),
    ..."humidifier siren text device_automation device camera".split(" "),
  );

  test("cannot make the dialect throw, nor describe what no description may be", () => {
    const kinds = new Set<string>();
    const payload = fc.oneof(
      json,
      fc.string(),
      fc.dictionary(key, value, { maxKeys: 60, size: "large" }).map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(component, payload), { maxLength: 5 }), json, (messages, state) => {
        const dialect = homeAssistantDialect("homeassistant", SCOPE);
        for (const [at, [of, text]] of messages.entries()) tell(dialect, { [`${of}/o${at}`]: text });
        void dialect.ignored;
        void dialect.problems;
        for (const device of dialect.devices.values()) {
          for (const { read } of device.availability.topics) read(new Payload(state));
          const keys = device.properties.map(({ address }) => addressKey(address));
          expect(new Set(keys).size).toBe(keys.length);
          for (const property of device.properties) {
            property.state?.read(new Payload(state));
            expect(flawsOf(property)).toEqual([]);
            for (const sample of samplesOf(property)) expect(badCommandOf(property, sample)).toBeUndefined();
            kinds.add(property.address.service);
          }
        }
      }),
      // The same descriptions each time: that they are of many kinds is part of the test.
      { numRuns: 500, seed: 1 },
    );
    expect(kinds.size).toBeGreaterThan(8);
  });
});
