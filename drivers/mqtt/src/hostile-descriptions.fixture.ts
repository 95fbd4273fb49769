/** Descriptions of devices that would hold the event loop, each in its own way, most of them of a megabyte or more. */

const MEBIBYTE = 1024 * 1024;

/** What zigbee2mqtt lists. @param values of each device; each has some 200 characters */
export function longList({ devices, values }: { devices: number; values: number }): string {
  return JSON.stringify(Array.from({ length: devices }, (_, at) => deviceOf(at, exposes(values))));
}

function deviceOf(at: number, exposes: readonly unknown[]): object {
  return {
    ieee_address: `0x${at.toString(16).padStart(16, "0")}`,
    ...{ type: "Router", friendly_name: `device ${at}`, definition: { vendor: "v", model: `m${at}`, exposes } },
  };
}

function exposes(values: number): object[] {
  return Array.from({ length: values }, (_, n) => ({
    ...{
      type: "numeric",
      name: `value_${n}`,
      property: `value_${n}`,
      access: 7,
      value_min: 0,
      value_max: 100,
      unit: "%",
    },
    description: "x".repeat(80),
  }));
}

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const many = (text: string, bytes: number) => Array.from({ length: Math.floor(bytes / (text.length + 1)) }, () => text);
const listOf = (text: string) => `[${many(text, MEBIBYTE).join(",")}]`;
/** Devices with as much of this in each as a description may have. */
const heavyOf = (given: (at: number) => readonly unknown[]) =>
  JSON.stringify(Array.from({ length: 8 }, (_, at) => deviceOf(at, given(at))));
const features = (of: unknown, count: number) => [
  { type: "composite", features: Array.from({ length: count }, () => of) },
];

/** Each with its name; made when it is wanted. */
export const HOSTILE_DESCRIPTIONS: readonly (readonly [name: string, payload: () => string])[] = [
  ["a list of 1,000 devices, each with 10 values", () => longList({ devices: 1000, values: 10 })],
  ["a list that is cut off", () => longList({ devices: 500, values: 40 }).slice(0, -2)],
  ["a list that is nested without end", () => nested("[", "]", MEBIBYTE)],
  ["devices that are nested as deep as may be", () => listOf(nested("[", "]", 150))],
  ["objects that are nested as deep as may be", () => listOf(`${'{"a":'.repeat(150)}1${"}".repeat(150)}`)],
  [
    "an object with very many members",
    () => JSON.stringify(Object.fromEntries(many("k", MEBIBYTE / 4).map((k, at) => [k + at, at]))),
  ],
  ["a list with very many numbers", () => listOf("0")],
  ["a list with very many empty objects", () => listOf("{}")],
  ["a list with very many empty strings", () => listOf('""')],
  ["a list of one very long text", () => JSON.stringify(["x".repeat(2 * MEBIBYTE)])],
  ["a list of one very long text with escapes", () => `["${"\\u0041".repeat(MEBIBYTE / 4)}"]`],
  ["a list of many long texts", () => JSON.stringify(many("x".repeat(MEBIBYTE - 10), 2 * MEBIBYTE))],
  ["one device as large as the whole message", () => JSON.stringify([deviceOf(1, exposes(20_000))])],
  [
    "devices with parts that make no sense",
    () => heavyOf(() => Array.from({ length: 256 }, () => ({ type: 1, features: [{}] }))),
  ],
  ["devices with very many features that make no sense", () => heavyOf(() => features({}, 80_000))],
  [
    "devices with very many features",
    () => heavyOf(() => features({ type: "numeric", name: "a", property: "a", access: 7 }, 255)),
  ],
  [
    "devices with very many values of an enumeration",
    () => heavyOf(() => [{ type: "enum", name: "a", property: "a", access: 7, values: many("x", 4000) }]),
  ],
  ["devices with as many values as may be", () => heavyOf(() => exposes(256))],
  ["bare numbers that JSON does not have", () => listOf("NaN")],
  ["no JSON", () => "{".repeat(MEBIBYTE - 100)],
  ["a text without an end", () => `["${"x".repeat(2 * MEBIBYTE)}`],
  ["quotes only", () => '"'.repeat(MEBIBYTE + 1)],
  ["backslashes only", () => `["${"\\".repeat(MEBIBYTE)}`],
  ["spaces only", () => " ".repeat(2 * MEBIBYTE)],
  [
    "settings of very many devices",
    () =>
      JSON.stringify({
        config: { devices: Object.fromEntries(many("k", 60_000).map((k, at) => [k + at, { friendly_name: "x" }])) },
      }),
  ],
  [
    "a device of Home Assistant with very many components",
    () =>
      JSON.stringify({
        device: { ids: "a" },
        cmps: Object.fromEntries(many("k", 4000).map((k, at) => [k + at, { p: "sensor", state_topic: "a" }])),
      }),
  ],
];
