/** A device of the hub as the bridge knows it: what it is called, what it can do and what it last said. Pure: the follower feeds it. */
import type { Device, PropertyItem, ServiceList } from "@porchlight/shared/api";
import { parseTime } from "@porchlight/shared/kernel";
import { addressKey, type DeviceDescription, type Value } from "@porchlight/shared/model";
import { givenName } from "@porchlight/shared/names";
import { type ShownAs, shownAs } from "../families/index.ts";
import type { Values } from "../parts/part.ts";
import type { ShownDevice } from "../shown/device.ts";

interface Held {
  readonly value: Value;
  readonly changedAt: number;
}

export class KnownDevice {
  #device: Device;
  #digest = "";
  #shownAs: ShownAs = { parts: [], battery: undefined, identify: undefined };
  readonly #held = new Map<string, Held>();
  /** When a property last changed. */
  #latest = 0;
  #keys = new Set<string>();

  constructor(device: Device) {
    this.#device = device;
  }

  get device(): Device {
    return this.#device;
  }

  get shownAs(): ShownAs {
    return this.#shownAs;
  }

  /** Whether its description has that property. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** It is told anew: its name, its connection, what it says of itself. */
  becomes(device: Device): void {
    this.#device = device;
  }

  /** What it can do, with what it last said. */
  describedAs(services: ServiceList["items"]): void {
    for (const { service, index, properties } of services)
      for (const { property, value, modifiedAt } of properties)
        if (value !== undefined) this.#hold(addressKey({ service, index, property }), value, modifiedAt, false);
    const description: DeviceDescription = services.map(({ service, index, properties }) => ({
      service,
      index,
      properties: properties.map(
        ({ value: _value, modifiedAt: _modified, observedAt: _observed, ...described }) => described,
      ),
    }));
    const digest = JSON.stringify(description);
    if (digest === this.#digest) return;
    this.#digest = digest;
    this.#shownAs = shownAs(description);
    this.#keys = new Set(
      description.flatMap(({ service, index, properties }) =>
        properties.map(({ property }) => addressKey({ service, index, property })),
      ),
    );
  }

  /** It has said something; gives the key of the property. */
  says({ service, index, property, value, modifiedAt }: PropertyItem): string {
    const key = addressKey({ service, index, property });
    this.#hold(key, value, modifiedAt, true);
    return key;
  }

  /** @param isHubThere whether the hub answers: of a hub that is away nobody knows whether it reaches its devices */
  shown(isHubThere: boolean): ShownDevice {
    const { id, alias, meta, connection } = this.#device;
    const about = (key: string) => {
      const value = meta?.[`$.${key}`];
      return typeof value === "string" ? value : "";
    };
    return {
      id,
      // An ID tells a person nothing: rather what it is.
      name: givenName(meta) ?? alias ?? (about("model") || id),
      isReachable: isHubThere && connection?.state === "online",
      manufacturer: about("manufacturer"),
      model: about("model"),
      firmware: about("firmware"),
      serial: about("serial"),
      shownAs: this.#shownAs,
      values: this.values,
    };
  }

  readonly values: Values = {
    value: (key) => this.#held.get(key)?.value,
    changedAt: (key) => this.#held.get(key)?.changedAt ?? 0,
  };

  /** @param isNews it has just been told, after all that was told before */
  #hold(key: string, value: unknown, modifiedAt: string | undefined, isNews: boolean): void {
    const before = this.#held.get(key);
    const told = (modifiedAt === undefined ? undefined : parseTime(modifiedAt)) ?? 0;
    // Times are of whole seconds: what comes later in one of them has changed later all the same.
    const isNew = before === undefined || JSON.stringify(before.value) !== JSON.stringify(value);
    const now = isNews ? Math.max(told, this.#latest + 1) : told;
    const changedAt = isNew ? now : before.changedAt;
    this.#latest = Math.max(this.#latest, changedAt);
    // The API answers JSON values, and the schema of an item says only that there is one.
    this.#held.set(key, { value: value as Value, changedAt });
  }
}
