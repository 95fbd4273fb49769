/** A property of a standard class, as one resource of a bridge says it. */
import { standardProperty } from "@porchlight/shared/model";
import { names, type Reference, type Resource } from "../resources/resource.ts";
import type { HueProperty } from "./hue-device.ts";

interface Parts extends Pick<HueProperty, "read" | "says" | "set" | "tolerance"> {
  /** Narrower than the class. */
  readonly limits?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
}

/** At index 0 until the device's things have their places. @param of the resource that says it */
export function ofClass(of: Reference, service: string, property: string, parts: Parts): HueProperty[] {
  const known = standardProperty(service, property);
  if (!known) return [];
  const { limits, ...others } = parts;
  const given = Object.entries(limits ?? {}).filter(([, limit]) => limit !== undefined);
  const access = parts.set ? known.access : known.access.filter((each) => each !== "write");
  const description = { ...known, access, ...Object.fromEntries(given) };
  return [{ address: { service, index: "0", property }, description, of, ...others }];
}

/** Whether an update names one of these paths. */
export function naming(...paths: readonly string[]): (update: Resource) => boolean {
  return (update) => paths.some((path) => names(update, path));
}
