/** A property of a standard class, as one resource of a bridge says it. */
import { standardProperty } from "@porchlight/shared/model";
import type { Reference } from "../resources/resource.ts";
import type { HueProperty } from "./hue-device.ts";

/** Which resource it is of, and which instance of its class. */
export interface ServicePlace {
  readonly of: Reference;
  readonly index: string;
}

interface Parts extends Pick<HueProperty, "read" | "set" | "tolerance"> {
  /** Narrower than the class. */
  readonly limits?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
}

export function ofClass({ of, index }: ServicePlace, service: string, property: string, parts: Parts): HueProperty[] {
  const known = standardProperty(service, property);
  if (!known) return [];
  const { limits, ...others } = parts;
  const given = Object.entries(limits ?? {}).filter(([, limit]) => limit !== undefined);
  const access = parts.set ? known.access : known.access.filter((each) => each !== "write");
  const description = { ...known, access, ...Object.fromEntries(given) };
  return [{ address: { service, index, property }, description, of, ...others }];
}
