/**
 * A property of a device as Z-Wave values: the values it is read from, how it is set, and the conversions that all classes share. Pure.
 */
import { type Read, readNumber, readShare } from "@porchlight/driver-kit";
import {
  type PropertyAddress,
  type PropertyDescription,
  standardProperty,
  type Value,
  valuesEqual,
} from "@porchlight/shared/model";
import { type NodeValue, type RawOf, type ValueId, valueKey } from "../values/node-state.ts";

/** Removes control characters and lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, "");
}

/** Set as a level, it restores the last level other than 0. */
export const LAST_LEVEL = 255;
const FULL = 99;
/** 254: unknown level. 255: the last level, which the device does not report. */
const NO_LEVEL = [254, LAST_LEVEL];

/** Level 99 and above is 100 %, any other level its own percentage; an invalid level is no value. */
export function percentOfLevel(raw: unknown): Read<number> {
  const level = readShare(readNumber(raw, NO_LEVEL), 0, 100);
  return typeof level === "number" && level >= FULL ? 100 : level;
}

/** Above 0 % the level is at least 1, so that a dim lamp does not turn off. */
export function levelOfPercent(percent: number): number {
  return percent <= 0 ? 0 : Math.min(FULL, Math.max(1, Math.round(percent)));
}

/** The command that sets a property. */
export interface ValueSetting {
  readonly at: ValueId;
  readonly value: unknown;
  /** Value of the property once the command is done: the requested value, within the device's resolution. */
  readonly now: Value;
  /** The property is a target: the device's report that it has accepted the command confirms it. */
  readonly isTarget?: boolean | undefined;
}

export interface ZwaveProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** Values that determine the property; a change of one may change the property. */
  readonly of: readonly ValueId[];
  /** Values to request from the node for a reading; defaults to all of `of`. Empty: the node cannot be asked for it. */
  readonly polls?: ((raw: RawOf) => readonly ValueId[]) | undefined;
  /** Undefined while the server has no content for the values, `null` when they contain no value. */
  readonly read: (raw: RawOf) => Read<Value>;
  /** For an event: converts an item of the value's notifications; undefined when the item has no meaning. */
  readonly event?: ((raw: unknown) => Value | undefined) | undefined;
  /** Left out for a read-only property. @throws Error with a message for people when it cannot be set now */
  readonly set?: ((value: Value, raw: RawOf) => ValueSetting) | undefined;
  /** How far a reported number may differ from the set one and still confirm it. */
  readonly tolerance?: number | undefined;
  /**
   * ID of the thing that owns the address permanently, where values of several things could have it. Left out where the protocol's own
   * numbers determine the address.
   */
  readonly owner?: string | undefined;
  /** Described only if its owner already has a stored address. */
  readonly isOnlyIfKept?: boolean | undefined;
  /** Thing that this property replaces: left out while that thing has its address. */
  readonly insteadOf?: string | undefined;
}

/** Whether a reported value confirms the requested one. */
export function isConfirmed({ tolerance = 0 }: ZwaveProperty, asked: Value, statement: Value): boolean {
  if (typeof asked !== "number" || typeof statement !== "number") return valuesEqual(asked, statement);
  return Math.abs(asked - statement) <= tolerance;
}

/** Properties indexed by the values that determine them. */
export function byValue(properties: readonly ZwaveProperty[]): ReadonlyMap<string, readonly ZwaveProperty[]> {
  const all = new Map<string, ZwaveProperty[]>();
  for (const property of properties)
    for (const id of property.of) all.set(valueKey(id), [...(all.get(valueKey(id)) ?? []), property]);
  return all;
}

/** Result of mapping a command class of an endpoint. */
export interface Mapped {
  readonly properties: readonly ZwaveProperty[];
  /** A part without a standard class can injure people or admit intruders. */
  readonly isSensitive?: boolean | undefined;
}

/** The values of one command class on one endpoint, and the known facts about the endpoint. */
export interface ClassValues {
  readonly values: readonly NodeValue[];
  readonly endpoint: number;
  readonly kind: EndpointKind;
}

/** Kind of an endpoint, from its device class and icon. */
export type EndpointKind = "cover" | "fan" | "valve" | "siren" | "other";

export function namedValue({ values }: Pick<ClassValues, "values">, property: string, propertyKey?: string | number) {
  return values.find(({ id }) => id.property === property && id.propertyKey === propertyKey);
}

type Parts = Omit<ZwaveProperty, "address" | "description">;

interface Limits {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  readonly values?: PropertyDescription["values"] | undefined;
}

/** A property of a standard class. @param limits narrower than those of the class */
export function classProperty(
  index: number | string,
  service: string,
  property: string,
  parts: Parts,
  limits: Limits = {},
): ZwaveProperty[] {
  const known = standardProperty(service, property);
  if (!known) return [];
  const access = parts.set ? known.access : known.access.filter((each) => each !== "write");
  const description = { ...known, ...stated(limits), access };
  return [{ address: { service, index: String(index), property }, description, ...parts }];
}

/** A property of a class of our own. */
export function ownProperty(
  index: number | string,
  service: string,
  description: Omit<PropertyDescription, "access">,
  parts: Parts,
): ZwaveProperty {
  const access = parts.event ? ["notify" as const] : ["read" as const, "notify" as const];
  const { property } = description;
  const all = { ...stated(description), property, type: description.type };
  const described = { ...all, access: parts.set ? [...access, "write" as const] : access };
  return { address: { service, index: String(index), property }, description: described, ...parts };
}

function stated<T extends object>(limits: T): Partial<T> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)) as Partial<T>;
}

/** Converts a text to a property name: `Air temperature` becomes `airTemperature`. */
export function propertyName(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .split(" ")
    .filter((word) => word !== "");
  const joined = words.map((word, at) => (at === 0 ? lowered(word) : word.charAt(0).toUpperCase() + word.slice(1)));
  const name = joined.join("").slice(0, 64);
  return /^[A-Za-z]/.test(name) ? name : `value${name}`.slice(0, 64);
}

/** Keeps words in capitals: `UV index` becomes `UVIndex`. */
function lowered(word: string): string {
  return word.length > 1 && word === word.toUpperCase() ? word : word.charAt(0).toLowerCase() + word.slice(1);
}

/** Truncates to 16 characters, the limit of a description. */
export function unitOfValue(unit: string | undefined): string | undefined {
  return storable((unit ?? "").slice(0, 16)) || undefined;
}
