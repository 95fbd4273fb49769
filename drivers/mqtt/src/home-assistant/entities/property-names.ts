/** What properties of the classes `Settings` and `Readings` are called: after their entity, in camel case. */
import { camelCase } from "@porchlight/driver-kit";
import type { DescribedEntity } from "../discovery/described-entity.ts";

/** @param name the entity's; undefined when it has none of its own */
export function propertyNameOf({ object, device }: DescribedEntity, name: string | undefined, suffix: string): string {
  const own = name === undefined ? "" : withoutDevice(name, device?.name);
  // An entity without a name of its own is the device's main one: what its parts do says enough.
  const words = own === "" && suffix !== "" ? suffix : `${own} ${suffix}`;
  return camelCase(words) ?? camelCase(`${object} ${suffix}`) ?? camelCase(`n ${object} ${suffix}`) ?? "value";
}

/** Older publishers put the device's name before the entity's. */
function withoutDevice(name: string, device: string | undefined): string {
  if (device === undefined || !name.startsWith(device)) return name;
  const rest = name.slice(device.length);
  return rest === "" || /^[\s_:-]/.test(rest) ? rest : name;
}
