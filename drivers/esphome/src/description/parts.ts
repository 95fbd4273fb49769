/** Makes properties of an entity: of the catalogue, or of its own name; and reads its traits and its state. */
import { camelCase, readBoolean, readNumber, readOneOf, readPercent, readText } from "@porchlight/driver-kit";
import {
  type Access,
  type PropertyDescription,
  type PropertyType,
  standardProperty,
  type Value,
} from "@porchlight/shared/model";
import type { EspHomeEntity, Trait } from "../wire/messages.ts";
import type { Binding, EntityPart, EspHomeCommand } from "./esphome-property.ts";

type Read = NonNullable<Binding["read"]>;
type Narrower = Partial<Omit<PropertyDescription, "property" | "type" | "unit">>;
type Limits = Partial<Omit<PropertyDescription, "property" | "type" | "access">>;

const READ: readonly Access[] = ["read", "notify"];
const READ_WRITE: readonly Access[] = ["read", "write", "notify"];
/** Longest unit of a property, characters. */
const LONGEST_UNIT = 16;
/** Longest word that a property can be set to, characters. */
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

/** A property that no standard class has: of `Settings` where it can be set, of `Readings` otherwise. */
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

/** The name of a property after its entity. */
export function nameAfter({ objectId, type }: EspHomeEntity): string {
  return camelCase(objectId) ?? camelCase(`${type} ${objectId}`) ?? "value";
}

/** A command that is confirmed by a field of the state. */
export function setting(name: string, value: string | number | boolean): EspHomeCommand {
  return { options: { [name]: value }, isSo: (state) => state[name] === value };
}

export function readsFlagField(name: string): Read {
  return (state) => readBoolean(state[name]);
}

/** A text as it is: of a person, or of the device's own words. */
export function readsWordField(name: string): Read {
  return (state) => state[name];
}

/** A text that is measured: a spelling of "no value" is none. */
export function readsTextField(name: string): Read {
  return (state) => readText(state[name]);
}

/** One of the words that the entity lists; all when it lists none. */
export function readsListedField(name: string, words: readonly string[]): Read {
  return (state) => {
    const word = state[name];
    return words.length === 0 || word === undefined || words.includes(String(word)) ? word : null;
  };
}

/** A number; NaN is no value. @param convert of the state's number to the property's */
export function readsNumberField(name: string, convert: (value: number) => number = (value) => value): Read {
  return (state) => {
    const value = readNumber(state[name]);
    return typeof value === "number" ? rounded(convert(value)) : value;
  };
}

/** A part of `full` as a percentage with so many digits; what is outside by more than rounding is no value. */
export function readsPercentField(name: string, full: number, digits: number): Read {
  return (state) => {
    const percent = readPercent(state[name], full);
    return typeof percent === "number" ? Number(percent.toFixed(digits)) : percent;
  };
}

/** What another reader reads, unless the entity says that it has no state yet. */
export function unlessMissing(read: Read): Read {
  return (state) => (state.missingState === true ? null : read(state));
}

/** One word for each number of an enumeration; `null` for others. */
export function readsWord(name: string, words: ReadonlyMap<number, Value>): Read {
  return (state) => readOneOf(state[name], [...words]);
}

export function near(told: unknown, asked: number, tolerance: number): boolean {
  return typeof told === "number" && Math.abs(told - asked) <= tolerance;
}

/** Without what binary fractions add. */
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

/** Undefined for one that is not there, or is no number. */
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

/** Undefined when it has none that a property can have. */
export function unitOf(entity: EspHomeEntity): string | undefined {
  const unit = textTrait(entity, "unitOfMeasurement");
  return unit === "" || unit.length > LONGEST_UNIT ? undefined : unit;
}

/** What the device measures in itself, or says of itself. */
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

/** Without what is not said: an empty list of values says nothing. */
function defined<T extends object>(limits: T): T {
  const isSaid = (limit: unknown) => limit !== undefined && !(Array.isArray(limit) && limit.length === 0);
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => isSaid(limit))) as T;
}
