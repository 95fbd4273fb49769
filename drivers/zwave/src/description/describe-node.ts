/** The device that a node is: its properties, made of its values class by class, and what of it is left aside. Pure. */
import { addressKey, type DeviceAbout } from "@porchlight/shared/model";
import { colourSwitch } from "../classes/colours.ts";
import { configuration } from "../classes/configuration.ts";
import { centralScene } from "../classes/controls.ts";
import { barrier, coverSwitch, windowCovering } from "../classes/covers.ts";
import { doorLock } from "../classes/locks.ts";
import { notification } from "../classes/notifications.ts";
import { basic, battery, energyProduction, meter, multilevelSensor, sensorFlags } from "../classes/sensors.ts";
import { indicator, soundSwitch } from "../classes/sounds.ts";
import { binarySwitch, multilevelSwitch } from "../classes/switches.ts";
import { thermostatClasses } from "../classes/thermostats.ts";
import type { ClassValues, Mapped, ZwaveProperty } from "../classes/zwave-property.ts";
import type { NodeState, NodeValue } from "../values/node-state.ts";
import type { NodeValues } from "../values/node-values.ts";
import { storable } from "../values/storable.ts";
import { compareIds, valueKey } from "../values/value-id.ts";
import { endpointKind } from "./endpoint-kind.ts";
import { type NodeAddresses, ownedProperties } from "./owned-addresses.ts";
import { BASIC, hasApplication, isSilent } from "./silent-values.ts";

export interface ZwaveDescription {
  readonly about: DeviceAbout;
  readonly properties: readonly ZwaveProperty[];
  readonly isSensitive: boolean;
  /** A door lock, whose commands must be encrypted. */
  readonly isLock: boolean;
  /** Names of command classes with values that are not described, each with how many. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Bounds of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;
/** Of a text about a device. */
const LONGEST_ABOUT = 256;

type Mapper = (given: ClassValues) => Mapped;

/** By command class. The classes of a thermostat are mapped together, under the first. */
const MAPPERS: ReadonlyMap<number, Mapper> = new Map([
  [98, doorLock],
  [102, barrier],
  [37, binarySwitch],
  [106, windowCovering],
  [51, colourSwitch],
  [113, notification],
  [48, sensorFlags],
  [49, multilevelSensor],
  [50, meter],
  [144, energyProduction],
  [91, centralScene],
  [121, soundSwitch],
  [128, battery],
  [135, indicator],
  [112, configuration],
]);
const THERMOSTAT: readonly number[] = [64, 66, 67, 68, 69];

/** Nothing of it depends on the order in which the server names the values. */
export function describeNode(
  node: NodeState,
  values: Pick<NodeValues, "all">,
  addresses: NodeAddresses,
): ZwaveDescription {
  const all = values.all.toSorted((a, b) => compareIds(a.id, b.id));
  const mapped = [...new Set(all.map(({ id }) => id.endpoint))].flatMap((endpoint) => mapEndpoint(node, endpoint, all));
  const properties = bounded(
    ownedProperties(
      mapped.flatMap((each) => each.properties),
      addresses,
    ),
  );
  return {
    about: aboutNode(node),
    properties,
    isSensitive: mapped.some(({ isSensitive }) => isSensitive) || saysItIsSensitive(node),
    isLock: properties.some(({ address }) => address.service === "Lock"),
    leftAside: leftAside(
      all,
      mapped.flatMap((each) => each.properties),
      properties,
    ),
  };
}

function mapEndpoint(node: NodeState, endpoint: number, all: readonly NodeValue[]): Mapped[] {
  const kind = endpointKind(node, endpoint);
  const given = (...classes: readonly number[]): ClassValues => ({
    ...{ endpoint, kind },
    values: all.filter(({ id }) => id.endpoint === endpoint && classes.includes(id.commandClass)),
  });
  const hasBinary = given(37).values.length > 0;
  return [
    kind === "cover" ? coverSwitch(given(38)) : multilevelSwitch(given(38), hasBinary),
    thermostatClasses(given(...THERMOSTAT)),
    ...[...MAPPERS].map(([commandClass, map]) => map(given(commandClass))),
    // Basic repeats what other classes say: it counts where there are none.
    hasApplication(all) ? { properties: [] } : basic(given(BASIC)),
  ];
}

/** As many services, and as many properties of each, as a description has room for. */
function bounded(properties: readonly ZwaveProperty[]): readonly ZwaveProperty[] {
  const services = new Map<string, number>();
  return properties.filter(({ address: { service, index } }) => {
    const instance = `${service}:${index}`;
    const count = services.get(instance) ?? 0;
    if (count >= MOST_PROPERTIES || (count === 0 && services.size >= MOST_SERVICES)) return false;
    services.set(instance, count + 1);
    return true;
  });
}

/** Values that say something of the device and became no property. What only repeats another property is none of them. */
function leftAside(
  all: readonly NodeValue[],
  mapped: readonly ZwaveProperty[],
  kept: readonly ZwaveProperty[],
): Record<string, number> {
  const addresses = new Set(kept.map(({ address }) => addressKey(address)));
  const used = mapped.filter(({ address }) => addresses.has(addressKey(address)));
  const keys = new Set(used.flatMap(({ of }) => of.map(valueKey)));
  const counts: Record<string, number> = {};
  for (const { id, className } of all)
    if (!keys.has(valueKey(id)) && !isSilent(id, all)) counts[className] = (counts[className] ?? 0) + 1;
  return counts;
}

/** Some sirens and valves are switches or dimmers by their class: what their maker calls them says what they are. */
function saysItIsSensitive({ deviceConfig }: NodeState): boolean {
  return /\b(?:siren|valve|garage|gate|lock)\b/i.test(deviceConfig?.description ?? "");
}

function aboutNode({ nodeId, deviceConfig, label, firmwareVersion, name }: NodeState): DeviceAbout {
  const model = deviceConfig?.label ?? label;
  const { description } = deviceConfig ?? {};
  return {
    manufacturer: short(deviceConfig?.manufacturer),
    model: short([model, description].filter((each) => each).join(" ")),
    firmware: short(firmwareVersion),
    name: short(name) ?? short(description) ?? short(model) ?? `Z-Wave node ${nodeId}`,
  };
}

function short(text: string | undefined): string | undefined {
  // Names come from devices, some filled up with zeros.
  const trimmed = text && storable(text.slice(0, LONGEST_ABOUT)).trim();
  return trimmed === "" ? undefined : trimmed;
}
