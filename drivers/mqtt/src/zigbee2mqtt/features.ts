/** The features of a device: what `exposes` describe, flattened, each with its place in the device's messages. */
import type { Expose } from "./bridge-schemas.ts";

/** One thing that can be read or set. */
export interface Feature {
  readonly expose: Expose;
  /** What it is a part of: `light`, `switch`, `cover`, `lock`, `climate`, `fan`; `generic` for what stands alone. */
  readonly of: string;
  readonly name: string;
  /** Where it stands in a message: the members from the outside in. */
  readonly path: readonly string[];
  readonly endpoint: string | undefined;
  readonly canRead: boolean;
  readonly canSet: boolean;
  readonly canAsk: boolean;
}

/** Composites inside each other. */
const DEEPEST = 4;

/** A light's colour is a composite, and yet one feature: its parts are set together. */
const COLOUR = /^color_(?:hs|xy)$/;

/** In the order of the description. */
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
    // A `light` or `climate` only groups: what it has stands beside everything else in a message.
    const isGroup = type !== "composite";
    const inner = isGroup || property === undefined ? outer : [...outer, property];
    return features.flatMap((part) => partsOf(part, isGroup ? type : of, inner, endpoint, depth + 1));
  }
  if (property === undefined) return [];
  const bits = { canRead: (access & 1) !== 0, canSet: (access & 2) !== 0, canAsk: (access & 4) !== 0 };
  return [{ expose: each, of, name: name ?? property, path: [...outer, property], endpoint, ...bits }];
}
