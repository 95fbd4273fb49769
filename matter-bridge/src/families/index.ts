/**
 * Presents a device of the hub to Matter: identity, reachability, endpoints and values. Families claim properties in order: a lamp before
 * its parts.
 */
import type { DescribedProperty, DeviceDescription } from "@porchlight/shared/model";
import { type Part, type ShownCluster, Unclaimed, type Values } from "../parts/part.ts";
import { buttons } from "./buttons.ts";
import { covers } from "./covers.ts";
import { alarms, contacts, occupancies, waterLeaks } from "./detectors.ts";
import { fans } from "./fans.ts";
import { lights } from "./lights.ts";
import { locks } from "./locks.ts";
import { battery, electricity } from "./power.ts";
import { airQuality, measurements } from "./sensors.ts";
import { thermostats } from "./thermostats.ts";
import { valves } from "./valves.ts";

const FAMILIES: readonly ((unclaimed: Unclaimed) => Part[])[] = [
  ...[lights, covers, locks, thermostats, fans, valves],
  ...[contacts, waterLeaks, occupancies, alarms, measurements, airQuality, buttons, electricity],
];

/** The Matter clusters of a device. */
export interface ShownAs {
  /** Empty when Matter has no device type for the device. */
  readonly parts: readonly Part[];
  readonly battery: ShownCluster | undefined;
  /** Property that makes the device identify itself, such as by blinking. */
  readonly identify: DescribedProperty | undefined;
}

export function shownAs(description: DeviceDescription): ShownAs {
  const unclaimed = new Unclaimed(description);
  const parts = FAMILIES.flatMap((family) => family(unclaimed));
  return { parts, battery: battery(unclaimed), identify: unclaimed.settable("Identify", "0", "active") };
}

export interface ShownDevice {
  /** ID of the device at the hub. */
  readonly id: string;
  readonly name: string;
  readonly isReachable: boolean;
  readonly manufacturer: string;
  readonly model: string;
  readonly firmware: string;
  readonly serial: string;
  readonly shownAs: ShownAs;
  readonly values: Values;
}

/** Fingerprint of the endpoints, their types and cluster features; a device with another shape must be added again. */
export function shapeOf({ parts, battery, identify }: ShownAs): string {
  const shapes = parts.map(({ key, type, clusters }) => [key, type.code, clusters.map(shapeOfCluster)]);
  return JSON.stringify([shapes, battery && shapeOfCluster(battery), identify !== undefined]);
}

function shapeOfCluster({
  cluster,
  features,
  commands = {},
  writes = {},
}: ShownAs["parts"][number]["clusters"][number]) {
  return [cluster, features, Object.keys(commands), Object.keys(writes)];
}
