/** Binary detectors: contacts, water, presence, smoke and carbon monoxide. */
import type { DescribedProperty, Value } from "@porchlight/shared/model";
import {
  DEVICE_TYPES,
  type Happening,
  type Part,
  type ShownCluster,
  type Unclaimed,
  type Values,
} from "../parts/part.ts";
import { isTrue } from "../parts/units.ts";

export function contacts(unclaimed: Unclaimed): Part[] {
  // Matter reports whether the contact is closed.
  return each(unclaimed, "Contact", "open", (open, index) => ({
    key: `contact:${index}`,
    type: DEVICE_TYPES.contactSensor,
    hasGroups: false,
    clusters: [booleanState((values) => !isTrue(values, open))],
  }));
}

export function waterLeaks(unclaimed: Unclaimed): Part[] {
  return each(unclaimed, "WaterLeak", "detected", (detected, index) => ({
    key: `leak:${index}`,
    type: DEVICE_TYPES.waterLeakDetector,
    hasGroups: false,
    clusters: [booleanState((values) => isTrue(values, detected))],
  }));
}

/** Motion, and presence without motion. */
export function occupancies(unclaimed: Unclaimed): Part[] {
  const motions = each(unclaimed, "Motion", "detected", (detected, index) => occupancy(`motion:${index}`, detected));
  return [
    ...motions,
    ...each(unclaimed, "Occupancy", "occupied", (occupied, index) => occupancy(`occupancy:${index}`, occupied)),
  ];
}

/** Smoke and carbon monoxide of one index form one alarm. */
export function alarms(unclaimed: Unclaimed): Part[] {
  const indexes = new Set([...unclaimed.indexes("Smoke"), ...unclaimed.indexes("CarbonMonoxide")]);
  return [...indexes].flatMap((index) => {
    const smoke = readable(unclaimed, "Smoke", index, "detected");
    const carbonMonoxide = readable(unclaimed, "CarbonMonoxide", index, "detected");
    if (!smoke && !carbonMonoxide) return [];
    unclaimed.claim(smoke, carbonMonoxide);
    const clusters = [alarmCluster(smoke, carbonMonoxide)];
    return [{ key: `alarm:${index}`, type: DEVICE_TYPES.smokeCoAlarm, hasGroups: false, clusters }];
  });
}

const LEVEL = { normal: 0, critical: 2 };
const EXPRESSED = { normal: 0, smoke: 1, carbonMonoxide: 2 };

function alarmCluster(smoke: DescribedProperty | undefined, gas: DescribedProperty | undefined): ShownCluster {
  const level = (values: Values, of: DescribedProperty) => (isTrue(values, of) ? LEVEL.critical : LEVEL.normal);
  return {
    cluster: "smokeCoAlarm",
    features: [...(smoke ? ["SmokeAlarm"] : []), ...(gas ? ["CoAlarm"] : [])],
    attributes: (values) => ({
      expressedState: expressed(values, smoke, gas),
      ...(smoke && { smokeState: level(values, smoke) }),
      ...(gas && { coState: level(values, gas) }),
      batteryAlert: 0,
      testInProgress: false,
      hardwareFaultAlert: false,
      endOfServiceAlert: 0,
    }),
    happenings: (key, value) => alarmHappenings(smoke, gas, key, value),
  };
}

function expressed(values: Values, smoke: DescribedProperty | undefined, gas: DescribedProperty | undefined): number {
  if (isTrue(values, smoke)) return EXPRESSED.smoke;
  return isTrue(values, gas) ? EXPRESSED.carbonMonoxide : EXPRESSED.normal;
}

function alarmHappenings(
  smoke: DescribedProperty | undefined,
  gas: DescribedProperty | undefined,
  key: string,
  value: Value,
): Happening[] {
  if (value !== true) return [];
  const data = { alarmSeverityLevel: LEVEL.critical };
  if (key === smoke?.key) return [{ event: "smokeAlarm", data }];
  return key === gas?.key ? [{ event: "coAlarm", data }] : [];
}

function booleanState(state: (values: Values) => boolean): ShownCluster {
  return { cluster: "booleanState", features: [], attributes: (values) => ({ stateValue: state(values) }) };
}

function occupancy(key: string, property: DescribedProperty): Part {
  const cluster: ShownCluster = {
    cluster: "occupancySensing",
    // The hub does not know the type of sensor; infrared is Matter's default.
    features: ["PassiveInfrared"],
    attributes: (values) => ({
      occupancy: { occupied: isTrue(values, property) },
      occupancySensorType: 0,
      occupancySensorTypeBitmap: { pir: true },
    }),
  };
  return { key, type: DEVICE_TYPES.occupancySensor, hasGroups: false, clusters: [cluster] };
}

function each(
  unclaimed: Unclaimed,
  service: string,
  property: string,
  part: (property: DescribedProperty, index: string) => Part,
): Part[] {
  return unclaimed.indexes(service).flatMap((index) => {
    const found = readable(unclaimed, service, index, property);
    if (!found) return [];
    unclaimed.claim(found);
    return [part(found, index)];
  });
}

function readable(unclaimed: Unclaimed, service: string, index: string, property: string) {
  const found = unclaimed.look(service, index, property);
  return found?.readable ? found : undefined;
}
