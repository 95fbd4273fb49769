/**
 * Properties of a described ESPHome device: how each is read from an entity's state and set, and how the types of entities build them,
 * standard or custom, from traits.
 */
import { camelCase, readBoolean, readNumber, readOneOf, readPercent, readText } from "@porchlight/driver-kit";
import {
  type Access,
  type DeviceAbout,
  type PropertyAddress,
  type PropertyDescription,
  type PropertyType,
  standardProperty,
  type Value,
} from "@porchlight/shared/model";
import type { CommandOptions, EntityState, EspHomeEntity, Trait } from "../wire/messages.ts";

/** A command that sets a property. */
export interface EspHomeCommand {
  readonly options: CommandOptions;
  /**
   * Whether a state reported after the command confirms it. Left out for an entity without a state; then the device only confirms that it
   * has received the command.
   */
  readonly isSo?: ((state: EntityState) => boolean) | undefined;
}

/** Connects a property to its entity. */
export interface Binding {
  /** Undefined when the state does not contain the property, `null` when it has no value. Never throws. */
  readonly read?: ((state: EntityState) => Value | undefined) | undefined;
  /** Value of a state that is an event. */
  readonly event?: ((state: EntityState) => Value | undefined) | undefined;
  /** Left out for a read-only property. The value has already been validated against the description. @param state the last known one */
  readonly command?: ((value: Value, state: EntityState | undefined) => EspHomeCommand) | undefined;
}

/** A property of an entity before it gets its index. */
export interface EntityPart extends Binding {
  readonly service: string;
  readonly description: PropertyDescription;
}

export interface EspHomeProperty extends Binding {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  readonly entity: EspHomeEntity;
}

/** A device as described to the hub. */
export interface EspHomeDescription {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  readonly properties: readonly EspHomeProperty[];
  /** A part without a standard class can injure people or admit intruders. */
  readonly isSensitive: boolean;
  /** It sleeps most of the time, and cannot be reached then. */
  readonly sleeps: boolean;
  /** Number of entities that are not described, or only in part, by type. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Properties of one entity. */
interface DescribedParts {
  readonly parts: readonly EntityPart[];
  /** Whether the entity has functions that are not described. */
  readonly isPartial?: boolean | undefined;
}

/** Describes the entities of one type. */
export type EntityComponent = (entity: EspHomeEntity) => DescribedParts;

/** Key of an entity, from the fields that identify it in a state. */
export function entityKey({ type, key, deviceId }: Pick<EspHomeEntity, "type" | "key" | "deviceId">): string {
  return `${type} ${deviceId} ${key}`;
}

type Read = NonNullable<Binding["read"]>;
type Narrower = Partial<Omit<PropertyDescription, "property" | "type" | "unit">>;
type Limits = Partial<Omit<PropertyDescription, "property" | "type" | "access">>;

const READ: readonly Access[] = ["read", "notify"];
const READ_WRITE: readonly Access[] = ["read", "write", "notify"];
/** Longest unit of a property, characters. */
const LONGEST_UNIT = 16;
/** Longest word of a writable property, characters. */
const LONGEST_WORD = 64;

/** A property of a standard class, with the access that the binding allows. */
export function standardParts(
  service: string,
  property: string,
  binding: Binding,
  narrower: Narrower = {},
): EntityPart[] {
  const known = standardProperty(service, property);
  if (!known) return [];
  const access = known.access.filter((each) => can(binding, each));
  return [{ service, description: { ...known, ...defined(narrower), access }, ...binding }];
}

/** A property without a standard class: under `Settings` when it is writable, under `Readings` otherwise. */
export function customParts(
  property: string,
  type: PropertyType,
  binding: Binding,
  limits: Limits = {},
  service = binding.command ? "Settings" : "Readings",
): EntityPart[] {
  const all = binding.command ? READ_WRITE : READ;
  const access = all.filter((each) => can(binding, each));
  return [{ service, description: { property, type, ...defined(limits), access }, ...binding }];
}

/** Name of a custom property, from the entity's ID. */
export function nameAfter({ objectId, type }: EspHomeEntity): string {
  return camelCase(objectId) ?? camelCase(`${type} ${objectId}`) ?? "value";
}

/** A command that sets a field; the same field of the state confirms it. */
export function setting(name: string, value: string | number | boolean): EspHomeCommand {
  return { options: { [name]: value }, isSo: (state) => state[name] === value };
}

export function readsFlagField(name: string): Read {
  return (state) => readBoolean(state[name]);
}

/** Reads a text unchanged, such as a person's or the device's own words. */
export function readsWordField(name: string): Read {
  return (state) => state[name];
}

/** Reads a measured text; a spelling of "no value" is `null`. */
export function readsTextField(name: string): Read {
  return (state) => readText(state[name]);
}

/** Reads one of the words that the entity lists; any word when it lists none. */
export function readsListedField(name: string, words: readonly string[]): Read {
  return (state) => {
    const word = state[name];
    return words.length === 0 || word === undefined || words.includes(String(word)) ? word : null;
  };
}

/** Reads a number; NaN is no value. @param convert converts the state's number to the property's */
export function readsNumberField(name: string, convert: (value: number) => number = (value) => value): Read {
  return (state) => {
    const value = readNumber(state[name]);
    return typeof value === "number" ? rounded(convert(value)) : value;
  };
}

/** Reads a part of `full` as a percentage, rounded to `digits`; a value clearly outside the range is no value. */
export function readsPercentField(name: string, full: number, digits: number): Read {
  return (state) => {
    const percent = readPercent(state[name], full);
    return typeof percent === "number" ? Number(percent.toFixed(digits)) : percent;
  };
}

/** Applies a reader, but returns `null` while the entity reports that it has no state yet. */
export function unlessMissing(read: Read): Read {
  return (state) => (state.missingState === true ? null : read(state));
}

/** Maps the numbers of an enumeration to words; `null` for any other number. */
export function readsWord(name: string, words: ReadonlyMap<number, Value>): Read {
  return (state) => readOneOf(state[name], [...words]);
}

export function near(reported: unknown, asked: number, tolerance: number): boolean {
  return typeof reported === "number" && Math.abs(reported - asked) <= tolerance;
}

/** Removes the rounding error of binary fractions. */
function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

export function textTrait({ traits }: EspHomeEntity, name: string): string {
  const value = traits[name];
  return typeof value === "string" ? value : "";
}

export function flagTrait({ traits }: EspHomeEntity, name: string): boolean {
  return traits[name] === true;
}

/** Undefined when the trait is missing or not a number. */
export function numberTrait({ traits }: EspHomeEntity, name: string): number | undefined {
  const value = traits[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function wordsTrait({ traits }: EspHomeEntity, name: string): string[] {
  const words = listOf(traits[name]).filter((each): each is string => typeof each === "string");
  return [...new Set(words.filter((word) => word !== "" && word.length <= LONGEST_WORD))];
}

export function numbersTrait({ traits }: EspHomeEntity, name: string): number[] {
  return listOf(traits[name]).filter((each): each is number => typeof each === "number");
}

/** Undefined when the entity has no unit, or one that is too long. */
export function unitOf(entity: EspHomeEntity): string | undefined {
  const unit = textTrait(entity, "unitOfMeasurement");
  return unit === "" || unit.length > LONGEST_UNIT ? undefined : unit;
}

/** Whether the entity reports about the device itself. */
export function isDiagnostic(entity: EspHomeEntity): boolean {
  return entity.traits.entityCategory === 2;
}

export function isConfiguration(entity: EspHomeEntity): boolean {
  return entity.traits.entityCategory === 1;
}

function listOf(trait: Trait | undefined): readonly (string | number | boolean)[] {
  return Array.isArray(trait) ? trait : [];
}

function can({ read, event, command }: Binding, access: Access): boolean {
  if (access === "read") return read !== undefined;
  if (access === "write") return command !== undefined;
  return read !== undefined || event !== undefined;
}

/** Removes undefined limits and empty lists of values. */
function defined<T extends object>(limits: T): T {
  const isStated = (limit: unknown) => limit !== undefined && !(Array.isArray(limit) && limit.length === 0);
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => isStated(limit))) as T;
}
