/** Summarizes many devices' values of one property, and lists the properties that can be set for a whole zone. Pure. */
import type { ServiceClass, ServiceDescriptor } from "@porchlight/shared/api";
import { booleanWords, valueWords, withUnit } from "../../kit/text/value-words.ts";

type Property = ServiceClass["properties"][number];

/** A writable property of the devices in a zone. */
export interface Settable {
  readonly service: string;
  readonly property: Property;
  /** One entry per instance; without a value while it is unknown. */
  readonly items: readonly { readonly deviceId: string; readonly value?: unknown }[];
}

/** @param devices IDs of the devices in question, with their services */
export function settables(
  catalogue: readonly ServiceClass[],
  devices: readonly (readonly [deviceId: string, services: readonly ServiceDescriptor[]])[],
): readonly Settable[] {
  const written = devices.flatMap(([deviceId, services]) =>
    services.flatMap(({ service, properties }) =>
      properties
        .filter(({ access }) => access.includes("write"))
        .map(({ property, value }) => ({ name: `${service}.${property}`, deviceId, value })),
    ),
  );
  const byProperty = Map.groupBy(written, ({ name }) => name);
  return catalogue.flatMap(({ service, properties, optional = [] }) =>
    [...properties, ...optional].flatMap((property) => {
      const items = byProperty.get(`${service}.${property.property}`);
      return items ? [{ service, property, items }] : [];
    }),
  );
}

/** "3 of 4 on"; "20 to 22.5 °C"; "3 heat, 1 off"; "2 of 4 on, 1 unknown". */
export function summaryOf({ property, items }: Settable): string {
  const values = items.flatMap(({ value }) => (value === undefined || value === null ? [] : [value]));
  const unknown = items.length - values.length;
  const rest = unknown === 0 ? "" : `, ${unknown} unknown`;
  if (values.length === 0) return items.length === 1 ? "unknown" : "all unknown";
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length === values.length) return `${withUnit(rangeOf(numbers), property.unit)}${rest}`;
  if (values.includes(true) && (values.includes(false) || unknown > 0)) {
    const [yes] = booleanWords(property.property);
    return `${values.filter((value) => value === true).length} of ${items.length} ${yes}${rest}`;
  }
  const counts = new Map<string, number>();
  for (const value of values) {
    const word = valueWords(value, property.property, property.unit);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [only] = counts.keys();
  if (counts.size === 1 && unknown === 0) return items.length === 1 ? `${only}` : `all ${only}`;
  return `${[...counts].map(([word, count]) => `${count} ${word}`).join(", ")}${rest}`;
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
