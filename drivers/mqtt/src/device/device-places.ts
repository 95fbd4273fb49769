/** The addresses of one device's things, by the kinds that its dialect distinguishes: relays, sensors, endpoints. */
import type { PlacedThing, Thing } from "@porchlight/driver-kit";
import type { ThingAddresses } from "./kept-things.ts";

/** Assigns addresses to all things of one kind of one device. */
export type PlaceThings = <T extends Thing>(things: readonly T[]) => readonly PlacedThing<T>[];

export class DevicePlaces {
  readonly #addresses: ThingAddresses;
  readonly #dialect: string;
  readonly #edgeId: string;
  readonly #keeping: (() => void)[] = [];

  constructor(addresses: ThingAddresses, dialect: string, edgeId: string) {
    this.#addresses = addresses;
    this.#dialect = dialect;
    this.#edgeId = edgeId;
  }

  of(kind: string): PlaceThings {
    return (things) => {
      if (things.length === 0) return [];
      const { placed, keep } = this.#addresses.place(`${this.#dialect} ${kind}`, { edgeId: this.#edgeId }, things);
      this.#keeping.push(keep);
      return placed;
    };
  }

  /** For `MqttDevice.keepAddresses`. */
  keep(): void {
    for (const keep of this.#keeping) keep();
  }
}
