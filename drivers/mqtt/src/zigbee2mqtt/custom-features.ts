/** Features of no standard class: `Settings` where they can be set, `Readings` where they cannot. */
import type { Access, PropertyDescription } from "@porchlight/shared/model";
import { booleanCodec, type Codec, numberCodec, plainCodec } from "../device/codec.ts";
import type { Expose } from "./bridge-config.ts";

export interface CustomFeature {
  readonly service: "Settings" | "Readings";
  readonly description: PropertyDescription;
  readonly codec: Codec;
}

/** Maximum lengths of a unit and of a word of an enumeration (tunnel, `describe`). */
const LONGEST_UNIT = 16;
const LONGEST_WORD = 64;
const MOST_WORDS = 256;

/** Undefined for a feature that has no name, or can be neither read nor set. */
export function customFeature(feature: Feature): CustomFeature | undefined {
  const { expose, canRead, canSet } = feature;
  const property = nameOf(feature);
  if (property === undefined || (!canRead && !canSet)) return undefined;
  const access: Access[] = [...(canRead ? ["read" as const] : []), ...(canSet ? ["write" as const] : [])];
  const { codec, description } = shapeOf(expose, { property, access: canRead ? [...access, "notify"] : access });
  return { service: canSet ? "Settings" : "Readings", description, codec };
}

function shapeOf(expose: Expose, named: Pick<PropertyDescription, "property" | "access">) {
  const { type, unit, value_min, value_max, value_step = 0, value_on = true, value_off = false } = expose;
  if (type === "binary")
    return { codec: booleanCodec(value_on, value_off), description: { ...named, type: "boolean" as const } };
  if (type === "numeric") {
    const description: PropertyDescription = {
      ...named,
      type: "number",
      ...(unit !== undefined && unit.length <= LONGEST_UNIT && unit !== "" ? { unit } : {}),
      ...limitsOf(value_min, value_max),
      ...(value_step > 0 ? { step: value_step } : {}),
    };
    return { codec: numberCodec(1, value_step), description };
  }
  const values = type === "enum" ? listOf(expose) : undefined;
  const isText = type === "text" || (values?.every((value) => typeof value === "string") ?? false);
  const description: PropertyDescription = {
    ...named,
    type: isText ? "string" : "json",
    ...(values ? { values } : {}),
  };
  return { codec: plainCodec(description), description };
}

/** Empty when the limits contradict each other. */
function limitsOf(min: number | undefined, max: number | undefined) {
  if (min !== undefined && max !== undefined && min > max) return {};
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** The values of an enumeration, if the list and its texts are not too long. */
function listOf({ values = [] }: Expose): readonly (string | number | boolean)[] | undefined {
  const all = [...new Set(values)];
  const isFair = (value: unknown) => typeof value !== "string" || (value !== "" && value.length <= LONGEST_WORD);
  return all.length > 0 && all.length <= MOST_WORDS && all.every(isFair) ? all : undefined;
}

/** The feature's path in camel case, without the name of its endpoint: `power_on_behavior_l1` becomes `powerOnBehavior`. */
function nameOf({ path, endpoint }: Feature): string | undefined {
  const last = path.at(-1) ?? "";
  const plain = endpoint !== undefined && last.endsWith(`_${endpoint}`) ? last.slice(0, -endpoint.length - 1) : last;
  const words = [...path.slice(0, -1), plain]
    .join(" ")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const [first, ...more] = words;
  if (first === undefined) return undefined;
  const name = [lowerFirst(first), ...more.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join("");
  return (/^[A-Za-z]/.test(name) ? name : `n${name}`).slice(0, 60);
}

function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : `${word[0]?.toLowerCase()}${word.slice(1)}`;
}

/** A value that can be read or set, with its place in the device's messages. */
export interface Feature {
  readonly expose: Expose;
  /** The group that it belongs to: `light`, `switch`, `cover`, `lock`, `climate`, `fan`; `generic` for a feature without a group. */
  readonly of: string;
  readonly name: string;
  /** Its place in a message: the members from the outermost to the innermost. */
  readonly path: readonly string[];
  readonly endpoint: string | undefined;
  readonly canRead: boolean;
  readonly canSet: boolean;
  readonly canAsk: boolean;
}

/** Maximum depth of nested composites. */
const DEEPEST = 4;

/** Composites that are one feature: the parts of a light's colour are set together. */
const COLOUR = /^color_(?:hs|xy)$/;

/** Flattens `exposes` into features, in the order of the description. */
export function featuresOf(exposes: readonly Expose[]): Feature[] {
  return exposes.flatMap((each) => partsOf(each, "generic", [], undefined, 0));
}

function partsOf(
  each: Expose,
  of: string,
  outer: readonly string[],
  outerEndpoint: string | undefined,
  depth: number,
): Feature[] {
  const { features, type, property, name, endpoint = outerEndpoint, access } = each;
  const isColour = name !== undefined && COLOUR.test(name);
  if (features && !isColour) {
    if (depth >= DEEPEST) return [];
    // A `light` or `climate` is only a group: its features are top-level members of a message.
    const isGroup = type !== "composite";
    const inner = isGroup || property === undefined ? outer : [...outer, property];
    return features.flatMap((part) => partsOf(part, isGroup ? type : of, inner, endpoint, depth + 1));
  }
  if (property === undefined) return [];
  const bits = { canRead: (access & 1) !== 0, canSet: (access & 2) !== 0, canAsk: (access & 4) !== 0 };
  return [{ expose: each, of, name: name ?? property, path: [...outer, property], endpoint, ...bits }];
}
