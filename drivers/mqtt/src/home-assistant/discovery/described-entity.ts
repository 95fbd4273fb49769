/** What one entity of Home Assistant's discovery says, checked and spelt out, before anything is made of it. */

export interface DescribedEntity {
  /** Tells it apart from every other entity: its topic's parts, and its key in a device's message. */
  readonly id: string;
  /** The topic of the message that describes it. */
  readonly topic: string;
  readonly component: string;
  readonly node: string;
  /** The object id, or the key of a component in a device's message. */
  readonly object: string;
  /** By their long names; whether one makes sense is not known yet. */
  readonly options: ReadonlyMap<string, unknown>;
  readonly device: DeviceBlock | undefined;
  readonly availability: DescribedAvailability;
}

/** What it says of the device to which it belongs. */
export interface DeviceBlock {
  readonly identifiers: readonly string[];
  /** Pairs of a kind and an address: `["mac", "aa:bb:cc:dd:ee:ff"]`. */
  readonly connections: readonly (readonly [string, string])[];
  readonly name?: string | undefined;
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  readonly sw_version?: string | undefined;
  readonly serial_number?: string | undefined;
}

export interface DescribedAvailability {
  readonly mode: "all" | "any" | "latest";
  readonly topics: readonly AvailabilityTopic[];
}

export interface AvailabilityTopic {
  readonly topic: string;
  readonly available: string;
  readonly notAvailable: string;
  readonly template?: string | undefined;
}

const NUMBERS = new Intl.Collator("en", { numeric: true });

/** Orders entities by their object ids, numbers in them by size, whenever they came. */
export function compareEntities(a: DescribedEntity, b: DescribedEntity): number {
  return compareIds(a.object, b.object) || compareIds(a.node, b.node) || compareIds(a.id, b.id);
}

function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return NUMBERS.compare(a, b) || (a < b ? -1 : 1);
}
