/** One property of a device, built from attributes, events and commands of an endpoint: the result of every family of clusters. Pure. */
import { readBoolean, readCelsius, readNumber, readPercent } from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import type { AttributePath, AttributeWrite, MatterCommand, MatterEndpoint } from "../matter-network.ts";

/** Current value of an attribute of the property's endpoint; undefined while the device has not reported it. */
export type RawOf = (cluster: string, attribute: string) => unknown;

/** A command or write that is sent once, and the property's value when it is done. */
export interface Setting {
  readonly send:
    | { readonly command: Omit<MatterCommand, "endpoint"> }
    | { readonly write: Omit<AttributeWrite, "endpoint"> };
  readonly now: Value;
  /** How far a reported number may differ from `now` and still confirm it. */
  readonly tolerance?: number | undefined;
  /** Refusal in the fields of the command's answer; undefined when the device acts. */
  readonly refusal?: ((answer: unknown) => Refusal | undefined) | undefined;
  /** The device reports nothing that confirms the change, so its acceptance counts. */
  readonly isAcceptedOnly?: boolean | undefined;
}

export interface Refusal {
  /** The device's own code. */
  readonly code: number;
  /** Explanation by the device or the specification. */
  readonly reason: string;
}

/** An event of the endpoint as a value. */
export interface EventSource {
  readonly cluster: string;
  readonly event: string;
  /** Undefined for an event without a meaning here. */
  readonly value: (payload: unknown) => Value | undefined;
}

export interface MatterProperty {
  readonly endpoint: number;
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** Attributes that determine the property; a change of one may change the property. A read requests each of them. */
  readonly of: readonly Omit<AttributePath, "endpoint">[];
  /** Undefined when the attributes do not contain it, `null` when they contain no value. */
  readonly read: (raw: RawOf) => Value | undefined;
  readonly events?: readonly EventSource[] | undefined;
  /** Left out for a read-only property. @throws Error with a message for people when it cannot be set now */
  readonly set?: ((value: Value, raw: RawOf) => Setting) | undefined;
}

/** Converts an endpoint to the properties of one family. @param index of its services */
export type Family = (endpoint: MatterEndpoint, index: string) => readonly MatterProperty[];

export type Parts = Pick<MatterProperty, "read"> &
  Partial<Pick<MatterProperty, "events" | "set">> & {
    /** `cluster.attribute`. */
    readonly of: readonly string[];
  };

type Limits = Partial<Pick<PropertyDescription, "min" | "max" | "step" | "values">>;

/** Endpoint and index of a property. */
export interface Place {
  readonly endpoint: MatterEndpoint;
  readonly index: string;
}

/** A property of a standard class. @param limits narrower than those of the class */
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
  const reported = parts.events ? (["notify"] as const) : [];
  const access = parts.of.length > 0 ? (["read", "notify"] as const) : reported;
  const description = { ...described, access: parts.set ? [...access, "write" as const] : access };
  const address = { service, index, property: described.property };
  return { ...parts, endpoint: endpoint.number, address, description, of: pathsOf(parts.of) };
}

/** A read-only number: of a standard class, or under `Readings`. */
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
 * A number as the device reports it; `null` for a null, and for anything that is not a number.
 * @param markers numbers that mean null in firmware without nulls
 */
export function rawNumber(raw: unknown, markers?: readonly number[]): number | null | undefined {
  const number = readNumber(typeof raw === "bigint" ? Number(raw) : raw, markers);
  // The 64-bit null; no measurement is that large.
  return typeof number === "number" && Math.abs(number) > Number.MAX_SAFE_INTEGER ? null : number;
}

/** Whether an attribute is a number, or a null that may become one. */
export function isNumeric(raw: unknown): boolean {
  return raw === null || typeof raw === "number" || typeof raw === "bigint";
}

/** Converts a number with a formula and rounds it to that many digits. */
export function scaled(
  raw: unknown,
  scale: (value: number) => number,
  digits = 2,
  markers?: readonly number[],
): number | null | undefined {
  const value = rawNumber(raw, markers);
  return typeof value === "number" ? Number(scale(value).toFixed(digits)) : value;
}

/** A level of 0 to `full` as a percentage with one digit; a value clearly outside the range is `null`. */
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

/** Nulls of unsigned and signed numbers of 8 and 16 bits, as other protocols with the same clusters send them. */
export const NULL_8 = [0xff];
export const NULL_16 = [0xffff];
export const NULL_S16 = [-0x8000];

/** A member of a structure or bitmap; `null` when the structure is null. */
export function member(raw: unknown, name: string): unknown {
  if (raw === null) return null;
  return typeof raw === "object" ? Reflect.get(raw, name) : undefined;
}

export function flag(raw: unknown): boolean | null | undefined {
  return readBoolean(raw);
}
