/**
 * A device's description and its metadata as the parts of a DESCRIPTION: the keys of a property, encoding by a node, decoding by the hub.
 * DP4.
 */
import {
  type Access,
  type DeviceAbout,
  type DeviceDescription,
  hasType,
  isName,
  LIMIT_NAMES,
  type PropertyDescription,
  type PropertyLimit,
  propertyShape,
  type ServiceDescription,
  standardProperty,
  type Value,
  valuesEqual,
  writtenLimits,
} from "../model/index.ts";
import { encodeCbor } from "./cbor.ts";
import { index as indexField, isShortText, list, map, own, unsigned } from "./fields.ts";
import { MAX_PARTS, MAX_PROPERTIES, MAX_SERVICES, MAX_UNIT } from "./limits.ts";
import type { WireMap } from "./message-types.ts";

/** The keys of a described property on the wire, in the order of the protocol document, section DESCRIPTION. */
export const PROPERTY_KEYS = {
  property: "n",
  type: "t",
  access: "a",
  unit: "u",
  min: "lo",
  max: "hi",
  step: "st",
  values: "en",
} as const satisfies { readonly [Field in keyof Required<PropertyDescription>]: string };

/** Content of one DESCRIPTION besides its numbers. */
export interface DescriptionPart {
  readonly services: readonly Value[];
  readonly about?: WireMap | undefined;
}

const ACCESS_BITS: Readonly<Record<Access, number>> = { read: 1, write: 2, notify: 4 };

/** Array head, type, seq, device, part, parts, head of `services`, CRC, each at its maximum length. */
const FIXED_BYTES = 1 + 1 + 3 + 2 + 2 + 2 + 2 + 2;
/** Head of the map, the keys s, i and p, and the longest index and array head. */
const SERVICE_BYTES = 1 + 3 * 2 + 3 + 2;

/**
 * Splits a description into parts that each fit a frame.
 * @param max the largest frame, bytes, unescaped, CRC included
 * @throws RangeError when one property, or the device's metadata, does not fit a frame alone
 */
export function encodeServices(description: DeviceDescription, about: DeviceAbout, max: number): DescriptionPart[] {
  const first = encodeAbout(about);
  const cutter = new Cutter(max - FIXED_BYTES, encodeCbor(first).length);
  for (const service of description) cutter.add(service);
  return cutter.parts.map((services, part) => (part === 0 ? { services, about: first } : { services }));
}

type WireService = {
  readonly s: string;
  readonly i: number;
  readonly p: Value[];
};

class Cutter {
  readonly parts: WireService[][] = [[]];
  readonly #room: number;
  #left: number;

  constructor(room: number, reserved: number) {
    this.#room = room;
    this.#left = room - reserved;
    if (this.#left < 0) throw new RangeError("what the device says of itself does not fit a frame");
  }

  add({ service, index, properties }: ServiceDescription): void {
    const head = SERVICE_BYTES + encodeCbor(service).length;
    let open: WireService | undefined;
    for (const description of properties) {
      const property = encodeProperty(service, description);
      const bytes = encodeCbor(property).length;
      if ((open ? 0 : head) + bytes > this.#left)
        open = this.#nextPart(head + bytes, `${service}.${description.property}`);
      if (!open) {
        open = { s: service, i: Number(index), p: [] };
        this.parts.at(-1)?.push(open);
        this.#left -= head;
      }
      open.p.push(property);
      this.#left -= bytes;
    }
  }

  /** Starts a part without an open service. */
  #nextPart(needed: number, what: string): undefined {
    if (needed > this.#room) throw new RangeError(`the description of ${what} does not fit a frame`);
    this.parts.push([]);
    this.#left = this.#room;
  }
}

/** Whether a property of a class equals the catalogue's description, so that its name is enough. */
export function isStandard(service: string, description: PropertyDescription): boolean {
  const standard = standardProperty(service, description.property);
  return standard !== undefined && valuesEqual(propertyMap(standard), propertyMap(description));
}

/** Only the name when the property equals the catalogue's description, else the whole map. */
function encodeProperty(service: string, description: PropertyDescription): Value {
  return isStandard(service, description) ? description.property : propertyMap(description);
}

function propertyMap(description: PropertyDescription): WireMap {
  const fields: { readonly [field: string]: Value | undefined } = {
    ...description,
    access: description.access.reduce((bits, one) => bits | ACCESS_BITS[one], 0),
  };
  return present(Object.fromEntries(Object.entries(PROPERTY_KEYS).map(([field, key]) => [key, fields[field]])));
}

function encodeAbout({ manufacturer, model, firmware, serial, name }: DeviceAbout): WireMap {
  return present({ mf: manufacturer, mo: model, fw: firmware, sn: serial, nm: name });
}

/** The map without its undefined members. */
function present(map: { readonly [key: string]: Value | undefined }): WireMap {
  return Object.fromEntries(Object.entries(map).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** Access as the wire's sum of bits. */
/** The access that a bit sum stands for, in the model's order; ignores bits of later versions. */
export function accessOf(bits: number): Access[] {
  const all: readonly Access[] = ["read", "write", "notify"];
  return all.filter((one) => (bits & ACCESS_BITS[one]) !== 0);
}

interface DecodedDescription {
  readonly services: DeviceDescription;
  readonly about: DeviceAbout;
  /** Number of things left out, for `doctor`. */
  readonly leftOut: number;
  /** A sentence for each of the first omissions. */
  readonly problems: readonly string[];
}

/** The hub implements this service itself: a node does not describe it. */
const HUBS_OWN = "Identify";
/** Maximum number of sentences: a hostile description could cause a hundred thousand. */
const PROBLEMS_KEPT = 20;

interface OpenService {
  readonly service: string;
  readonly index: string;
  readonly properties: PropertyDescription[];
}

/** Joins the parts of one device's description, in order. Never throws; unusable entries are left out and counted. */
export function decodeServices(parts: readonly DescriptionPart[]): DecodedDescription {
  const services = new Map<string, OpenService>();
  const problems: string[] = [];
  let leftOut = 0;
  const leaveOut = (problem: string | undefined) => {
    if (problem === undefined) return;
    leftOut += 1;
    if (problems.length < PROBLEMS_KEPT) problems.push(problem);
  };
  if (parts.length > MAX_PARTS) leaveOut(`the parts after the first ${MAX_PARTS}`);
  for (const part of parts.slice(0, MAX_PARTS)) {
    for (const entry of part.services) {
      const opened = openService(services, entry);
      if (typeof opened === "string") leaveOut(opened);
      else for (const property of opened.entries) leaveOut(addProperty(opened.open, property));
    }
  }
  const about = decodeAbout(parts[0]?.about, leaveOut);
  return {
    services: [...services.values()].filter((service) => service.properties.length > 0),
    about,
    leftOut,
    problems,
  };
}

/** The service that an entry begins or continues, and its list; a sentence when the entry is unusable. */
function openService(
  services: Map<string, OpenService>,
  entry: Value,
): { open: OpenService; entries: readonly Value[] } | string {
  const wire = map(entry);
  const service = wire && own(wire, "s");
  const index = wire && indexField(own(wire, "i"));
  const entries = wire && list(own(wire, "p"));
  if (typeof service !== "string" || !isName(service) || index === undefined || !entries)
    return "a service that is none";
  if (service === HUBS_OWN) return `${service} is the hub's own service`;
  const key = `${service}:${index}`;
  const known = services.get(key);
  if (known) return { open: known, entries };
  if (services.size === MAX_SERVICES) return `${key}: more than ${MAX_SERVICES} services`;
  const open: OpenService = { service, index: String(index), properties: [] };
  services.set(key, open);
  return { open, entries };
}

/** Adds the property that an entry describes; returns a sentence when the entry is unusable. */
function addProperty({ service, index, properties }: OpenService, entry: Value): string | undefined {
  const key = `${service}:${index}`;
  const property = typeof entry === "string" ? standardProperty(service, entry) : ownProperty(map(entry));
  if (property === undefined) return `${key}: a property that is none`;
  if (typeof property === "string") return `${key}: ${property}`;
  const name = `${key}.${property.property}`;
  if (properties.some((other) => other.property === property.property)) return `${name} is described twice`;
  if (properties.length === MAX_PROPERTIES) return `${name}: more than ${MAX_PROPERTIES} properties`;
  properties.push(property);
  return undefined;
}

/** A property with a full description; a sentence when it contradicts itself, undefined when it is not a property at all. */
function ownProperty(wire: WireMap | undefined): PropertyDescription | string | undefined {
  const property = wire && own(wire, PROPERTY_KEYS.property);
  const type = wire && propertyShape.type.options.find((one) => one === own(wire, PROPERTY_KEYS.type));
  const bits = wire && unsigned(own(wire, PROPERTY_KEYS.access));
  if (!wire || typeof property !== "string" || !isName(property)) return undefined;
  if (!type || bits === undefined) return `${property} has no type or access`;
  const access = accessOf(bits % 8);
  if (access.length === 0) return `${property} can neither be read nor written nor does it notify`;
  const unit = own(wire, PROPERTY_KEYS.unit);
  if (unit !== undefined && !isShortText(unit, MAX_UNIT)) return `${property} has a unit that is none`;
  const limits = limitsOf(wire);
  if (!limits) return `${property} has a range that is none`;
  const isNumber = type === "number" || type === "integer";
  if (!isNumber && Object.keys(limits).length > 0) return `${property} has a range and is no number`;
  const description = { property, type, ...(unit === undefined ? {} : { unit }), ...limits };
  const values = valuesOf({ ...description, access }, own(wire, PROPERTY_KEYS.values));
  if (values === "bad") return `${property} lists values that it cannot have`;
  return { ...description, ...(values ? { values } : {}), access };
}

function limitsOf(wire: WireMap): { [Name in PropertyLimit]?: number } | undefined {
  const limits: { [Name in PropertyLimit]?: number } = {};
  for (const name of LIMIT_NAMES) {
    const { success, data } = writtenLimits[name].safeParse(own(wire, PROPERTY_KEYS[name]));
    if (!success) return undefined;
    if (data !== undefined) limits[name] = data;
  }
  const { min, max } = limits;
  return min !== undefined && max !== undefined && min > max ? undefined : limits;
}

function valuesOf(
  description: PropertyDescription,
  entry: Value | undefined,
): (string | number | boolean)[] | "bad" | undefined {
  if (entry === undefined) return undefined;
  const items = list(entry);
  if (!items || items.length === 0) return "bad";
  const values: (string | number | boolean)[] = [];
  for (const item of items) {
    if (typeof item === "object" || !hasType(description, item) || !inRange(description, item)) return "bad";
    if (typeof item === "string" && !isShortText(item)) return "bad";
    values.push(item);
  }
  return values;
}

function inRange({ min, max }: PropertyDescription, item: string | number | boolean): boolean {
  return typeof item !== "number" || (item >= (min ?? item) && item <= (max ?? item));
}

function decodeAbout(wire: WireMap | undefined, leaveOut: (problem: string) => void): DeviceAbout {
  if (!wire) return {};
  const text = (key: string): string | undefined => {
    const given = own(wire, key);
    if (given === undefined || isShortText(given)) return given;
    leaveOut(`about.${key}: no text of at most 64 characters`);
    return undefined;
  };
  const [manufacturer, model, firmware, serial, name] = [text("mf"), text("mo"), text("fw"), text("sn"), text("nm")];
  return {
    ...(manufacturer === undefined ? {} : { manufacturer }),
    ...(model === undefined ? {} : { model }),
    ...(firmware === undefined ? {} : { firmware }),
    ...(serial === undefined ? {} : { serial }),
    ...(name === undefined ? {} : { name }),
  };
}
