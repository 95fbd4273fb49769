/** A device of the hub as the bridge knows it: name, description and last values. Pure: the follower updates it. */
import type { Device, PropertyItem, ServiceList } from "@porchlight/shared/api";
import { parseTime } from "@porchlight/shared/kernel";
import { addressKey, type DeviceDescription, type Value } from "@porchlight/shared/model";
import { givenName } from "@porchlight/shared/names";
import { type ShownAs, type ShownDevice, shownAs } from "../families/index.ts";
import type { Values } from "../parts/part.ts";

interface Held {
  readonly value: Value;
  readonly changedAt: number;
}

export class KnownDevice {
  #device: Device;
  #digest = "";
  #shownAs: ShownAs = { parts: [], battery: undefined, identify: undefined };
  readonly #held = new Map<string, Held>();
  /** Time of the latest change of any property, wall-clock ms. */
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

  /** Whether the description has that property. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Replaces the device's data: name, connection, metadata. */
  becomes(device: Device): void {
    this.#device = device;
  }

  /** Replaces the description and the values. */
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

  /** Takes a reported value and returns the key of its property. */
  says({ service, index, property, value, modifiedAt }: PropertyItem): string {
    const key = addressKey({ service, index, property });
    this.#hold(key, value, modifiedAt, true);
    return key;
  }

  /** @param isHubThere whether the hub answers; without the hub, the device counts as unreachable */
  shown(isHubThere: boolean): ShownDevice {
    const { id, alias, meta, connection } = this.#device;
    const about = (key: string) => {
      const value = meta?.[`$.${key}`];
      return typeof value === "string" ? value : "";
    };
    return {
      id,
      // The model means more to a person than the ID.
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

  /** @param isNews the value was just reported, after all earlier ones */
  #hold(key: string, value: unknown, modifiedAt: string | undefined, isNews: boolean): void {
    const before = this.#held.get(key);
    const reported = (modifiedAt === undefined ? undefined : parseTime(modifiedAt)) ?? 0;
    // Timestamps have whole seconds, so a later value within the same second needs a later time.
    const isNew = before === undefined || JSON.stringify(before.value) !== JSON.stringify(value);
    const now = isNews ? Math.max(reported, this.#latest + 1) : reported;
    const changedAt = isNew ? now : before.changedAt;
    this.#latest = Math.max(this.#latest, changedAt);
    // The schema of an item does not type its value; the API returns JSON.
    this.#held.set(key, { value: value as Value, changedAt });
  }
}

export interface Choice {
  /** IDs, edgeIds or aliases. */
  readonly show: "all" | readonly string[];
  readonly hide: readonly string[];
}

/** Transport of devices that came to the hub through Matter; a controller can pair with them directly. */
const FROM_MATTER = /^matter\b/i;

export function isChosen({ id, edgeId, alias, meta, type }: Device, { show, hide }: Choice): boolean {
  const names = [id, edgeId, alias].filter((name) => typeof name === "string");
  const isNamed = (list: readonly string[]) => names.some((name) => list.includes(name));
  if (type !== "physical" || isNamed(hide)) return false;
  if (show !== "all") return isNamed(show);
  const transport = meta?.["$.transport"];
  return !(typeof transport === "string" && FROM_MATTER.test(transport));
}
