/** Lists all families in the order in which they claim properties: a lamp before its parts. */
import type { DescribedProperty, DeviceDescription } from "@porchlight/shared/model";
import type { Part, ShownCluster } from "../parts/part.ts";
import { Unclaimed } from "../parts/unclaimed.ts";
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
