/** One property of a device, made of attributes, events and commands of an endpoint: what every family of clusters is turned into. Pure. */
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

/** A number as the device has it; `null` where it says that it does not know, undefined for anything else. */
export function rawNumber(raw: unknown): number | null | undefined {
  if (raw === null) return null;
  if (typeof raw === "bigint") return Number(raw);
  return typeof raw === "number" && Number.isFinite(raw) ? raw : undefined;
}

/** A number turned by a formula and rounded to so many digits. */
export function scaled(raw: unknown, scale: (value: number) => number, digits = 2): number | null | undefined {
  const value = rawNumber(raw);
  return typeof value === "number" ? rounded(scale(value), digits) : value;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** A member of a structure or bitmap. */
export function member(raw: unknown, name: string): unknown {
  return typeof raw === "object" && raw !== null ? Reflect.get(raw, name) : undefined;
}

export function flag(raw: unknown): boolean | null | undefined {
  return typeof raw === "boolean" || raw === null ? raw : undefined;
}
