/** Devices of the catalogue's classes for the tests of the families: described as the hub describes them, with values that a test sets. */
import {
  CATALOGUE,
  type DeviceDescription,
  OPTIONAL_PROPERTIES,
  type PropertyDescription,
  type Value,
} from "@porchlight/shared/model";
import type { Asked, Attributes, Part, Values } from "../parts/part.ts";
import { type ShownAs, shownAs } from "./index.ts";

/** `SERVICE` or `SERVICE:INDEX`, with changes of its properties; an optional property is added, `null` leaves one out. */
export type Service = readonly [name: string, changes?: Readonly<Record<string, Partial<PropertyDescription> | null>>];

function described(...services: readonly Service[]): DeviceDescription {
  return services.map(([name, changes = {}]) => {
    const [service = "", index = "0"] = name.split(":");
    const standard = CATALOGUE.get(service) ?? [];
    const optional = (OPTIONAL_PROPERTIES.get(service) ?? []).filter(({ property }) => property in changes);
    const properties = [...standard, ...optional]
      .filter(({ property }) => changes[property] !== null)
      .map((property) => ({ ...property, ...changes[property.property] }));
    return { service, index, properties };
  });
}

/** A device with values, each by `SERVICE.property` or `SERVICE:INDEX.property`. */
export class Example {
  readonly shownAs: ShownAs;
  readonly #values: Readonly<Record<string, Value>>;
  /** The later in this list, the later it changed. */
  readonly #order: readonly string[];

  constructor(services: readonly Service[], values: Readonly<Record<string, Value>> = {}) {
    this.shownAs = shownAs(described(...services));
    const keyed = Object.entries(values).map(([name, value]) => [keyOf(name), value] as const);
    this.#values = Object.fromEntries(keyed);
    this.#order = keyed.map(([key]) => key);
  }

  get parts(): readonly Part[] {
    return this.shownAs.parts;
  }

  readonly values: Values = {
    value: (key) => this.#values[key],
    changedAt: (key) => this.#order.indexOf(key) + 1,
  };

  /** The attributes of a cluster of a part. */
  attributes(cluster: string, part = 0): Attributes {
    return this.#cluster(cluster, part).attributes(this.values);
  }

  /** What a command asks of the hub, each write as `SERVICE:INDEX.property = value`. */
  asks(cluster: string, name: string, fields: Attributes = {}, part = 0): readonly string[] | string {
    const command = this.#cluster(cluster, part).commands?.[name];
    if (!command) throw new Error(`${cluster} has no command ${name}`);
    return inWords(command(fields, this.values));
  }

  /** What the write of an attribute asks of the hub. */
  writes(cluster: string, name: string, value: unknown, part = 0): readonly string[] | string {
    const write = this.#cluster(cluster, part).writes?.[name];
    if (!write) throw new Error(`${cluster} has no attribute ${name} that can be written`);
    return inWords(write(value, this.values));
  }

  /** Events that a value is reported as. */
  happens(cluster: string, name: string, value: Value, part = 0): readonly string[] {
    return (this.#cluster(cluster, part).happenings?.(keyOf(name), value) ?? []).map(({ event }) => event);
  }

  #cluster(cluster: string, part: number) {
    const found = this.parts[part]?.clusters.find((each) => each.cluster === cluster);
    if (!found) throw new Error(`part ${part} has no cluster ${cluster}`);
    return found;
  }
}

function inWords(asked: Asked): readonly string[] | string {
  return "refused" in asked ? asked.refused : asked.map(({ key, value }) => `${key} = ${value}`);
}

function keyOf(name: string): string {
  const [service = "", property = ""] = name.split(".");
  return service.includes(":") ? name : `${service}:0.${property}`;
}
