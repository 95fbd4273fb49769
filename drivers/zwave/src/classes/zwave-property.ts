/** A property of a device in terms of Z-Wave values: which values it is read from, how it is set, and what confirms that. */
import type { Read } from "@porchlight/driver-kit";
import {
  type PropertyAddress,
  type PropertyDescription,
  standardProperty,
  type Value,
  valuesEqual,
} from "@porchlight/shared/model";
import type { NodeValue } from "../values/node-state.ts";
import type { RawOf } from "../values/node-values.ts";
import { storable } from "../values/storable.ts";
import { type ValueId, valueKey } from "../values/value-id.ts";

/** What is sent to set a property. */
export interface ValueSetting {
  readonly at: ValueId;
  readonly value: unknown;
  /** What the property is once that has been done: the value that was asked for, as far as the device can tell it apart. */
  readonly now: Value;
  /** The device can report that it has accepted it before it is done: that confirms a target. */
  readonly isTarget?: boolean | undefined;
}

export interface ZwaveProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** The values that it is made of: when one of them changes, it may have changed. */
  readonly of: readonly ValueId[];
  /** The values that the node is asked for to read it; left out where it is all of `of`. Empty: it cannot be asked for. */
  readonly polls?: ((raw: RawOf) => readonly ValueId[]) | undefined;
  /** Undefined while the server has no content of the values, `null` when they say that there is no value. */
  readonly read: (raw: RawOf) => Read<Value>;
  /** An event: the value that an item of the value's notifications means; undefined for none. */
  readonly event?: ((raw: unknown) => Value | undefined) | undefined;
  /** Left out where it cannot be set. @throws Error when it cannot be set now, for people */
  readonly set?: ((value: Value, raw: RawOf) => ValueSetting) | undefined;
  /** How far a number may be from the one that was set and still confirm it. */
  readonly tolerance?: number | undefined;
  /**
   * The thing that the address belongs to for good, where values of several things could have it. Left out where the address follows from
   * the protocol's own numbers.
   */
  readonly owner?: string | undefined;
  /** It is described only if its owner has had its address before. */
  readonly isOnlyIfKept?: boolean | undefined;
  /** The thing in whose place the property stands: it is left out while that thing has its address. */
  readonly insteadOf?: string | undefined;
}

/** Whether a value that the device says confirms the one that it was set to. */
export function isConfirmed({ tolerance = 0 }: ZwaveProperty, asked: Value, said: Value): boolean {
  if (typeof asked !== "number" || typeof said !== "number") return valuesEqual(asked, said);
  return Math.abs(asked - said) <= tolerance;
}

/** Properties by the names of the values that they are made of. */
export function byValue(properties: readonly ZwaveProperty[]): ReadonlyMap<string, readonly ZwaveProperty[]> {
  const all = new Map<string, ZwaveProperty[]>();
  for (const property of properties)
    for (const id of property.of) all.set(valueKey(id), [...(all.get(valueKey(id)) ?? []), property]);
  return all;
}

/** What a command class of an endpoint is made into. */
export interface Mapped {
  readonly properties: readonly ZwaveProperty[];
  /** It can hurt, or let somebody in, by a part that is of no standard class. */
  readonly isSensitive?: boolean | undefined;
}

/** The values of one command class on one endpoint, and what is known of the endpoint. */
export interface ClassValues {
  readonly values: readonly NodeValue[];
  readonly endpoint: number;
  readonly kind: EndpointKind;
}

/** What an endpoint is, by its device class and icon. */
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

/** A property of a standard class. @param limits narrower than the class has them */
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

/** A text as the name of a property: `Air temperature` is `airTemperature`. */
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

/** Words in capitals stay: `UV index` is `UVIndex`. */
function lowered(word: string): string {
  return word.length > 1 && word === word.toUpperCase() ? word : word.charAt(0).toLowerCase() + word.slice(1);
}

/** At most 16 characters, as a description may have. */
export function unitOfValue(unit: string | undefined): string | undefined {
  return storable((unit ?? "").slice(0, 16)) || undefined;
}
