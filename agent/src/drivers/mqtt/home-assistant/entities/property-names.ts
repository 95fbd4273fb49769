/** What properties of the classes `Settings` and `Readings` are called: after their entity, in camel case. */
import { isName } from "@porchlight/shared/model";
import type { DescribedEntity } from "../discovery/described-entity.ts";

/** A number still fits behind it. */
const LONGEST = 60;

/** @param name the entity's; undefined when it has none of its own */
export function propertyNameOf({ object, device }: DescribedEntity, name: string | undefined, suffix: string): string {
  const own = name === undefined ? "" : withoutDevice(name, device?.name);
  // An entity without a name of its own is the device's main one: what its parts do says enough.
  const words = own === "" && suffix !== "" ? suffix : `${own} ${suffix}`;
  return camelCase(words) ?? camelCase(`${object} ${suffix}`) ?? camelCase(`n ${object} ${suffix}`) ?? "value";
}

/** The name, with the lowest number behind it that makes it another than all of `taken`. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}${number}`)) return `${name}${number}`;
}

/** Older publishers put the device's name before the entity's. */
function withoutDevice(name: string, device: string | undefined): string {
  if (device === undefined || !name.startsWith(device)) return name;
  const rest = name.slice(device.length);
  return rest === "" || /^[\s_:-]/.test(rest) ? rest : name;
}

/** Undefined when no name can be made of it. */
function camelCase(text: string): string | undefined {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const lowered = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word));
  const humped = lowered.map((word, at) => {
    const [first = "", rest = word.slice(1)] = [word[0]];
    return (at === 0 ? first.toLowerCase() : first.toUpperCase()) + rest;
  });
  const name = humped.join("").slice(0, LONGEST);
  return isName(name) ? name : undefined;
}
