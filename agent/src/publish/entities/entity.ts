/** One entity as Home Assistant's discovery describes it. */
import type { PropertyAddress } from "@porchlight/shared/model";

export interface Entity {
  /** `light`, `sensor` ... */
  readonly component: string;
  /** Tells it apart from the device's other entities, for ever: `[a-zA-Z0-9_-]`. */
  readonly object: string;
  /** What it is called beside its device. */
  readonly name: string;
  /** It is what the device is for: alone of its kind it has the device's name. */
  readonly isMain: boolean;
  /** By their long names; without what all entities have: name, device, origin, availability. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A hue and a saturation that are told and set together on one topic. */
  readonly colour?: ColourPair | undefined;
}

/** The two addresses of a colour. */
export interface ColourPair {
  readonly hue: PropertyAddress;
  readonly saturation: PropertyAddress;
}

/** What in a description has no entity, by a name for the reason. */
export type NoEntity = "json" | "eventWithoutValues" | "noRange" | "noChoice" | "sameName" | "tooManyEntities";
