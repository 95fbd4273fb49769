/** The keys of a described property on the wire, in the order of the protocol document, section DESCRIPTION. */
import type { PropertyDescription } from "../model/index.ts";

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
