/** The words of a step or a command: a property, a value, a time. */
import {
  addressKey,
  type DeviceDescription,
  findProperty,
  type PropertyAddress,
  type PropertyDescription,
  parseSelector,
  type Value,
} from "@porchlight/shared/model";
import { unknownWord } from "../devices/file/suggestion.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 };

/** What a person wrote cannot be carried out; its message says why. */
export class Mistake extends Error {}

/** The first word, and what follows it. */
export function firstWord(words: string): { word: string; rest: string } {
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(words) ?? [];
  return { word, rest };
}

/** A property by its words, with its description. @throws Mistake */
export function propertyIn(
  services: DeviceDescription,
  where: string,
): { address: PropertyAddress; description: PropertyDescription } {
  const selector = parseSelector(where);
  const address = {
    service: selector?.service ?? "",
    index: selector?.index ?? "0",
    property: selector?.property ?? "",
  };
  const description = findProperty(services, address);
  if (description) return { address, description };
  const known = services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) =>
      index === "0" ? `${service}.${property}` : addressKey({ service, index, property }),
    ),
  );
  throw new Mistake(unknownWord("property", where, known));
}

/** JSON when it is JSON, else the words as they stand. @throws Mistake */
export function readValue(words: string): Value {
  if (words.trim() === "") throw new Mistake("a value is missing");
  try {
    return JSON.parse(words) as Value;
  } catch {
    return words.trim();
  }
}

/** ms of `300ms`, `5s`, `2min` or `1h`. @throws Mistake */
export function duration(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (number === undefined || factor === undefined)
    throw new Mistake(`"${text}" is no time: say 300ms, 5s, 2min or 1h`);
  return Number(number) * factor;
}
