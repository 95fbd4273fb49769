/** Nodes that the bench plays: their HELLOs and descriptions, and the requests that a hub must send them. */
import { standardProperty, type Value } from "@porchlight/shared/model";
import type { Places, WireMap } from "@porchlight/shared/wire";

export interface Part {
  readonly services: readonly Value[];
  readonly about?: WireMap | undefined;
}

export interface Persona {
  readonly devices: Places;
  readonly win: number;
  readonly max: number;
  /** By edgeId: the parts of its DESCRIPTION. */
  readonly parts: Readonly<Record<string, readonly Part[]>>;
  /** The reads of a hub at each place, as `Switch:0.on`, in any order. */
  readonly reads: readonly (readonly string[])[];
}

export const NODE_ID = "02-50-4C-C0-00-00";
export const LAMP = "02-50-4C-C0-00-01";
export const BUTTON = "02-50-4C-C0-00-02";
export const SENSOR = "02-50-4C-C0-00-03";
/** Number of parts that it claims to have: more than the protocol allows. */
const TOO_MANY_PARTS = 70;

const ABOUT = { mf: "Porchlight", mo: "Conformance bench" };
const service = (name: string, ...properties: Value[]): Value => ({ s: name, i: 0, p: properties });
const probe = { n: "probe", t: "number", a: 7, lo: 0, hi: 100 };

const LAMP_PARTS: readonly Part[] = [
  { services: [service("Switch", "on"), service("LightLevel", "level"), service("Lab", probe)], about: ABOUT },
];
const LAMP_READS = ["Switch:0.on", "LightLevel:0.level", "Lab:0.probe"];
const BUTTON_PARTS: readonly Part[] = [
  { services: [service("Button", "event"), service("Battery", "percent")], about: {} },
];
const SENSOR_PARTS: readonly Part[] = [{ services: [service("Battery", "low")], about: {} }];

/** Two honest devices. */
export const PLAIN: Persona = {
  devices: [LAMP, BUTTON],
  win: 1,
  max: 1024,
  parts: { [LAMP]: LAMP_PARTS, [BUTTON]: BUTTON_PARTS, [SENSOR]: SENSOR_PARTS },
  reads: [LAMP_READS, ["Battery:0.percent"], ["Battery:0.low"]],
};

/** Three devices of a node that accepts two requests at once, so that a hub could exceed its window. */
export const NARROW: Persona = { ...PLAIN, devices: [LAMP, BUTTON, SENSOR], win: 2 };

const unreadable = [
  { n: "wish", t: "string", a: 2 },
  { n: "shout", t: "string", a: 4 },
];
const contradictory = [
  { n: "upside", t: "number", a: 1, lo: 5, hi: 1 },
  { n: "ranged", t: "string", a: 1, lo: 0 },
  { n: "odd", t: "integer", a: 1, en: ["x"] },
  { n: "un it", t: "number", a: 1 },
];

/** A device in three parts, with properties that a hub must not read or must leave out; and one with too many parts. */
export const WORDY: Persona = {
  ...PLAIN,
  max: 512,
  parts: {
    [LAMP]: [
      {
        services: [service("Switch", "on"), service("Button", "event"), service("Lab", probe, ...unreadable)],
        about: ABOUT,
      },
      { services: [service("Lab", { n: "second", t: "integer", a: 1 }), service("Identify", "active")] },
      {
        services: [
          service("Lab", ...contradictory, { ...probe, t: "string" }, 7, { n: "good", t: "boolean", a: 1, later: 1 }),
          service("1bad", "x"),
          "nothing",
        ],
      },
    ],
    [BUTTON]: Array.from({ length: TOO_MANY_PARTS }, (_, part) => ({
      services: part === 0 ? [service("Battery", "low")] : [],
      about: part === 0 ? { ...ABOUT, nm: "Lämpchen", later: [1] } : undefined,
    })),
  },
  reads: [["Switch:0.on", "Lab:0.probe", "Lab:0.second", "Lab:0.good"], ["Battery:0.low"]],
};

/** Values of the properties that the hub reads. */
const VALUES: Readonly<Record<string, Value>> = { probe: 21.5, second: 2, good: true };

/** Value of a played device's property. */
export function playedValue(service: string, property: string): Value {
  const type = standardProperty(service, property)?.type;
  return VALUES[property] ?? (type === "boolean" ? false : 40);
}
