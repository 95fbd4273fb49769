/** One property of a device, made of attributes, events and commands of an endpoint: what every family of clusters is turned into. Pure. */
import { readBoolean, readCelsius, readNumber, readPercent } from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import type { AttributePath, AttributeWrite, MatterCommand, MatterEndpoint } from "../network/matter-network.ts";

/** What an attribute of the property's endpoint now is; undefined when the device has not told it. */
export type RawOf = (cluster: string, attribute: string) => unknown;

/** What is sent once, and what the property is when that is done. */
export interface Setting {
  readonly send:
    | { readonly command: Omit<MatterCommand, "endpoint"> }
    | { readonly write: Omit<AttributeWrite, "endpoint"> };
  readonly now: Value;
  /** How far a number may be from `now` and still confirm it. */
  readonly tolerance?: number | undefined;
  /** Why the device does not do what it was told, by the fields of its answer to the command; undefined when it does. */
  readonly refusal?: ((answer: unknown) => Refusal | undefined) | undefined;
  /** The device tells nothing that confirms it: that it has accepted the command is all there is. */
  readonly isAcceptedOnly?: boolean | undefined;
}

export interface Refusal {
  /** The device's own code. */
  readonly code: number;
  /** Its words for it, or the specification's. */
  readonly reason: string;
}

/** An event of the endpoint as a value. */
export interface EventSource {
  readonly cluster: string;
  readonly event: string;
  /** Undefined: it means nothing here. */
  readonly value: (payload: unknown) => Value | undefined;
}

export interface MatterProperty {
  readonly endpoint: number;
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** The attributes that it is made of: when one of them changes, it may have changed. The first is read to read it. */
  readonly of: readonly Omit<AttributePath, "endpoint">[];
  /** Undefined when the attributes do not say it, `null` when they say that there is none. */
  readonly read: (raw: RawOf) => Value | undefined;
  readonly events?: readonly EventSource[] | undefined;
  /** Left out where it cannot be set. @throws Error when it cannot be set now, for people */
  readonly set?: ((value: Value, raw: RawOf) => Setting) | undefined;
}

/** Turns an endpoint into the properties of one family. @param index of its services */
export type Family = (endpoint: MatterEndpoint, index: string) => readonly MatterProperty[];

export type Parts = Pick<MatterProperty, "read"> &
  Partial<Pick<MatterProperty, "events" | "set">> & {
    /** `cluster.attribute`. */
    readonly of: readonly string[];
  };

type Limits = Partial<Pick<PropertyDescription, "min" | "max" | "step" | "values">>;

/** Where a property stands. */
export interface Place {
  readonly endpoint: MatterEndpoint;
  readonly index: string;
}

/** A property of a standard class. @param limits narrower than the class has them */
export function standard(
  { endpoint, index }: Place,
  service: string,
  property: string,
  parts: Parts,
  limits: Limits = {},
): MatterProperty[] {
  const known = standardProperty(service, property);
  if (!known) return [];
  const access = parts.set ? known.access : known.access.filter((each) => each !== "write");
  const description = { ...known, ...stated(limits), access };
  return [
    { ...parts, endpoint: endpoint.number, address: { service, index, property }, description, of: pathsOf(parts.of) },
  ];
}

/** A property of a class of our own. */
export function own(
  { endpoint, index }: Place,
  service: string,
  described: Omit<PropertyDescription, "access">,
  parts: Parts,
): MatterProperty {
  const told = parts.events ? (["notify"] as const) : [];
  const access = parts.of.length > 0 ? (["read", "notify"] as const) : told;
  const description = { ...described, access: parts.set ? [...access, "write" as const] : access };
  const address = { service, index, property: described.property };
  return { ...parts, endpoint: endpoint.number, address, description, of: pathsOf(parts.of) };
}

/** A number that is read only: of a standard class, or under `Readings`. */
export function reading(place: Place, at: string, unit: string | undefined, parts: Parts): MatterProperty[] {
  const [service = "", property = ""] = at.split(".");
  if (standardProperty(service, property)) return standard(place, service, property, parts);
  return [own(place, service, { property, type: "number", ...(unit !== undefined && { unit }) }, parts)];
}

function pathsOf(of: readonly string[]): MatterProperty["of"] {
  return of.map((path) => {
    const [cluster = "", attribute = ""] = path.split(".");
    return { cluster, attribute };
  });
}

function stated(limits: Limits): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/**
 * A number as the device has it; `null` where it says that it has none, and for what is no number.
 * @param markers numbers that mean that there is none: a null as firmware sends it that does not know nulls
 */
export function rawNumber(raw: unknown, markers?: readonly number[]): number | null | undefined {
  const number = readNumber(typeof raw === "bigint" ? Number(raw) : raw, markers);
  // The null of 64 bits; nothing that is measured is so large.
  return typeof number === "number" && Math.abs(number) > Number.MAX_SAFE_INTEGER ? null : number;
}

/** Whether an attribute is a number, or a null that may become one. */
export function isNumeric(raw: unknown): boolean {
  return raw === null || typeof raw === "number" || typeof raw === "bigint";
}

/** A number turned by a formula and rounded to so many digits. */
export function scaled(
  raw: unknown,
  scale: (value: number) => number,
  digits = 2,
  markers?: readonly number[],
): number | null | undefined {
  const value = rawNumber(raw, markers);
  return typeof value === "number" ? Number(scale(value).toFixed(digits)) : value;
}

/** A level of 0 to `full` as a percentage of one digit; what is outside by more than rounding is none. */
export function percent(raw: unknown, full: number, markers: readonly number[] = NULL_8): number | null | undefined {
  const share = readPercent(rawNumber(raw, markers), full);
  return typeof share === "number" ? Number(share.toFixed(1)) : share;
}

/** Hundredths of a degree Celsius. */
export function celsius(raw: unknown): number | null | undefined {
  return readCelsius(
    scaled(raw, (value) => value / 100, 2, NULL_S16),
    "celsius",
  );
}

/** Nulls of unsigned and signed numbers of 8 and 16 bits, as they are on the wire of other protocols of the same clusters. */
export const NULL_8 = [0xff];
export const NULL_16 = [0xffff];
export const NULL_S16 = [-0x8000];

/** A member of a structure or bitmap; `null` of one that is null. */
export function member(raw: unknown, name: string): unknown {
  if (raw === null) return null;
  return typeof raw === "object" ? Reflect.get(raw, name) : undefined;
}

export function flag(raw: unknown): boolean | null | undefined {
  return readBoolean(raw);
}
