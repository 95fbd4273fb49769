/** Describes a node as a device: maps its values class by class to properties, and counts the values that are left out. Pure. */
import { type DeviceAddresses, readNumber, type Thing } from "@porchlight/driver-kit";
import { addressKey, type DeviceAbout, type PropertyDescription } from "@porchlight/shared/model";
import {
  compareIds,
  type NodeState,
  type NodeValue,
  type NodeValues,
  type ValueId,
  valueKey,
} from "../values/node-state.ts";
import { colourSwitch } from "./colours.ts";
import { centralScene } from "./controls.ts";
import { barrier, coverSwitch, windowCovering } from "./covers.ts";
import { notification } from "./notifications.ts";
import { binarySwitch, doorLock, indicator, multilevelSwitch, soundSwitch } from "./outputs.ts";
import { basic, battery, energyProduction, meter, multilevelSensor, sensorFlags } from "./sensors.ts";
import { thermostatClasses } from "./thermostats.ts";
import {
  type ClassValues,
  type EndpointKind,
  type Mapped,
  ownProperty,
  storable,
  unitOfValue,
  type ZwaveProperty,
} from "./zwave-property.ts";

export interface ZwaveDescription {
  readonly about: DeviceAbout;
  readonly properties: readonly ZwaveProperty[];
  readonly isSensitive: boolean;
  /** A door lock, whose commands must be encrypted. */
  readonly isLock: boolean;
  /** Number of undescribed values, by command class name. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Limits of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;
/** Longest text about a device. */
const LONGEST_ABOUT = 256;

type Mapper = (given: ClassValues) => Mapped;

/** Mappers by command class. The classes of a thermostat are mapped together, under the first. */
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

/** The result does not depend on the order in which the server lists the values. */
export function describeNode(
  node: NodeState,
  values: Pick<NodeValues, "all">,
  addresses: NodeAddresses,
): ZwaveDescription {
  const all = values.all.toSorted((a, b) => compareIds(a.id, b.id));
  const isBasicOnly = !hasApplication(all);
  const mapped = [...Map.groupBy(all, ({ id }) => id.endpoint)].flatMap(([endpoint, own]) =>
    mapEndpoint(node, endpoint, own, isBasicOnly),
  );
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

/** @param own the values of the endpoint */
function mapEndpoint(node: NodeState, endpoint: number, own: readonly NodeValue[], isBasicOnly: boolean): Mapped[] {
  const kind = endpointKind(node, endpoint);
  const byClass = Map.groupBy(own, ({ id }) => id.commandClass);
  const given = (...classes: readonly number[]): ClassValues => ({
    ...{ endpoint, kind },
    values: classes.flatMap((each) => byClass.get(each) ?? []),
  });
  const hasBinary = given(37).values.length > 0;
  return [
    kind === "cover" ? coverSwitch(given(38)) : multilevelSwitch(given(38), hasBinary),
    thermostatClasses(given(...THERMOSTAT)),
    ...[...MAPPERS].map(([commandClass, map]) => map(given(commandClass))),
    // Basic repeats other classes, so it counts only without them.
    isBasicOnly ? basic(given(BASIC)) : { properties: [] },
  ];
}

/** Limits the number of services, and of properties in each, to those of a description. */
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

/** Values that describe the device but became no property, without those that only repeat another property. */
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

/** Some sirens and valves have the device class of a switch or dimmer; only the maker's description identifies them. */
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
  // Device names can be padded with zero bytes.
  const trimmed = text && storable(text.slice(0, LONGEST_ABOUT)).trim();
  return trimmed === "" ? undefined : trimmed;
}

/**
 * Numbers of device classes and icons, which give the kind of an endpoint: the same command class moves a shutter and dims a lamp. Pure.
 */
const BINARY_SWITCH = 16;
const MULTILEVEL_SWITCH = 17;
const WINDOW_COVERING = 9;
/** Specific classes of a multilevel switch: multi-position motors, and motors of classes A to C. */
const MOTORS: ReadonlySet<number> = new Set([3, 5, 6, 7]);
const FAN = 8;
const SIREN = 5;
const VALVE = 6;
/** The first byte of an installer icon is its kind. */
const VALVE_ICON = 0x15;

function endpointKind(node: NodeState, index: number): EndpointKind {
  const endpoint = node.endpoints.find((each) => each.index === index);
  const { generic, specific } = endpoint?.deviceClass ?? node.deviceClass ?? {};
  const icon = endpoint?.installerIcon ?? node.installerIcon ?? 0;
  if (generic?.key === WINDOW_COVERING) return "cover";
  if (generic?.key === MULTILEVEL_SWITCH) {
    if (specific?.key === FAN) return "fan";
    return MOTORS.has(specific?.key ?? 0) ? "cover" : "other";
  }
  if (generic?.key === BINARY_SWITCH && specific?.key === SIREN) return "siren";
  if (generic?.key === BINARY_SWITCH && specific?.key === VALVE) return "valve";
  return icon >> 8 === VALVE_ICON ? "valve" : "other";
}

/** Classes that administer the node in its network: versions, groups, times, names, security. Their values need no property. */
const ADMINISTRATION: ReadonlySet<number> = new Set([
  ...[34, 70, 86, 89, 90, 94, 96, 103, 114, 119, 122, 132, 133, 134, 138, 139, 142, 152, 159],
]);
const BASIC = 32;

/** Values that accompany or repeat a described value, by command class. */
const BESIDE: Readonly<Record<number, readonly string[]>> = {
  37: ["targetValue", "duration", "currentValue"],
  38: ["targetValue", "duration", "Up", "Down", "Open", "Close", "On", "Off", "restorePrevious"],
  50: ["previousValue", "deltaTime", "reset"],
  51: ["targetColor", "duration", "currentColor", "hexColor"],
  64: ["manufacturerData"],
  91: ["slowRefresh"],
  98: ["targetMode", "duration"],
  102: ["targetState"],
  106: ["targetValue", "duration", "levelChangeUp", "levelChangeDown", "open", "close0", "close99"],
  113: ["alarmType", "alarmLevel"],
  128: ["isHigh"],
  // Single properties of the identification lamp.
  135: ["80", "timeout", "identify", "value"],
};
/** The whole colour contains the values of its parts. */
const WHOLE_COLOUR = "currentColor";

function isSilent(id: ValueId, all: readonly NodeValue[]): boolean {
  if (ADMINISTRATION.has(id.commandClass)) return true;
  if (id.commandClass === BASIC) return hasApplication(all) || id.property !== "currentValue";
  // A channel without a property counts as left out.
  if (id.commandClass === 51 && id.property === WHOLE_COLOUR) return id.propertyKey === undefined;
  return BESIDE[id.commandClass]?.includes(String(id.property)) ?? false;
}

/** Whether a node has a class that shows its purpose; battery and configuration do not. */
function hasApplication(all: readonly NodeValue[]): boolean {
  return all.some(
    ({ id: { commandClass } }) => ![BASIC, 112, 128].includes(commandClass) && !ADMINISTRATION.has(commandClass),
  );
}

/**
 * The stored addresses of one device. A thing keeps its address even while it is gone, so that no other thing is ever read or set under
 * it.
 */
export interface NodeAddresses {
  readonly place: (things: readonly Thing[]) => readonly { readonly thing: Thing }[];
  readonly has: (id: string) => boolean;
}

export function addressesOf(addresses: Pick<DeviceAddresses, "place" | "hasThing">, edgeId: string): NodeAddresses {
  return {
    place: (things) => addresses.place(edgeId, things),
    has: (id) => addresses.hasThing(edgeId, id),
  };
}

/** @param properties in an order independent of the server's: the first of two new ones gets the address */
function ownedProperties(properties: readonly ZwaveProperty[], addresses: NodeAddresses): readonly ZwaveProperty[] {
  const wanted = properties.filter((each) => !each.isOnlyIfKept || addresses.has(each.owner ?? ""));
  const placed = new Set(addresses.place(thingsOf(wanted)).map(({ thing }) => thing.id));
  const kept = new Map<string, ZwaveProperty>();
  for (const property of wanted) {
    const { owner, insteadOf, address } = property;
    if (owner !== undefined && !placed.has(owner)) continue;
    if (insteadOf !== undefined && placed.has(insteadOf)) continue;
    const key = addressKey(address);
    if (!kept.has(key)) kept.set(key, property);
  }
  return [...kept.values()];
}

/** Properties of one owner at one index keep or lose their addresses together. */
function thingsOf(properties: readonly ZwaveProperty[]): readonly Thing[] {
  const things = new Map<string, Thing>();
  for (const { owner, address } of properties) {
    if (owner === undefined) continue;
    const { service, index, property } = address;
    const others = things.get(owner)?.properties ?? [];
    things.set(owner, {
      ...{ id: owner, index: Number(index), apart: "nowhere" },
      properties: [...others, { service, property }],
    });
  }
  return [...things.values()];
}

/** Maximum properties of a service. */
const MOST = 64;

function configuration({ endpoint, values }: ClassValues): Mapped {
  return { properties: values.flatMap((value) => parameter(endpoint, value)).slice(0, MOST) };
}

function parameter(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const { type, readable, writeable, min, max, unit } = metadata;
  if (type !== "number" || !readable || typeof id.property !== "number") return [];
  // The bit mask names a part of a parameter.
  const mask = typeof id.propertyKey === "number" ? `-${id.propertyKey.toString(16)}` : "";
  const description: Omit<PropertyDescription, "access"> = {
    ...{ property: `parameter${id.property}${mask}`, type: "integer", unit: unitOfValue(unit) },
    ...(isRange(min, max) ? { min, max } : {}),
    ...(metadata.allowManualEntry === false ? { values: choicesOf(metadata.states) } : {}),
  };
  // A parameter without known limits is read-only, because a wrong value could be sent.
  const isSafe = isRange(min, max) || (description.values?.length ?? 0) > 0;
  return [
    ownProperty(endpoint, "Configuration", description, {
      of: [id],
      read: (raw) => readNumber(raw(id)),
      set: writeable && isSafe ? (value) => ({ at: id, value, now: value }) : undefined,
    }),
  ];
}

/** Some device files contain 0 to 0 for unknown limits. */
function isRange(min: number | undefined, max: number | undefined): boolean {
  return min !== undefined && max !== undefined && min < max;
}

function choicesOf(states: Readonly<Record<string, string>> | undefined): readonly number[] | undefined {
  const choices = Object.keys(states ?? {}).map(Number);
  return choices.length > 0 && choices.length <= MOST && choices.every(Number.isInteger) ? choices : undefined;
}
