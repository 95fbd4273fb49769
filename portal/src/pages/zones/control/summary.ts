/** Many devices' values of one property in a few words, and which properties of a zone can be set together. Pure. */
import type { PropertyItem, ServiceClass } from "@porchlight/shared/api";
import { booleanWords, valueWords, withUnit } from "../../../kit/text/value-words.ts";

type Property = ServiceClass["properties"][number];

/** A property that devices of a zone have and that can be written. */
export interface Settable {
  readonly service: string;
  readonly property: Property;
  /** One for each instance of it. */
  readonly items: readonly PropertyItem[];
}

/** @param items last known values of all devices in question */
export function settables(catalogue: readonly ServiceClass[], items: readonly PropertyItem[]): readonly Settable[] {
  const byProperty = Map.groupBy(items, ({ service, property }) => `${service}.${property}`);
  return catalogue.flatMap(({ service, properties }) =>
    properties.filter(canBeSet).flatMap((property) => {
      const found = byProperty.get(`${service}.${property.property}`);
      return found ? [{ service, property, items: found }] : [];
    }),
  );
}

function canBeSet({ access }: Property): boolean {
  return access.includes("write");
}

/** "2 on, 1 off"; "20 to 22.5 °C"; "3 heat, 1 off". */
export function summaryOf({ property, items }: Settable): string {
  const values = items.map(({ value }) => value);
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length === values.length) return withUnit(rangeOf(numbers), property.unit);
  const [yes] = booleanWords(property.property);
  const counts = new Map<string, number>(values.includes(true) && values.includes(false) ? [[yes, 0]] : []);
  for (const value of values) {
    const word = valueWords(value, property.property, property.unit);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [only] = counts.keys();
  if (counts.size === 1) return items.length === 1 ? `${only}` : `all ${only}`;
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}

function rangeOf(numbers: readonly number[]): string {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const each of numbers) {
    least = Math.min(least, each);
    most = Math.max(most, each);
  }
  return least === most ? shown(least) : `${shown(least)} to ${shown(most)}`;
}

function shown(value: number): string {
  return String(Number(value.toFixed(2)));
}
