/**
 * Properties of a described Shelly: how each is read from a component's status and set, how components build them, and which errors make a
 * value invalid. Pure.
 */
import { at, readBoolean, readNumber, readOneOf, readPercent, withoutNoise } from "@porchlight/driver-kit";
import {
  type Access,
  type DeviceAbout,
  type PropertyAddress,
  type PropertyDescription,
  standardProperty,
  type Value,
} from "@porchlight/shared/model";

/** Status or configuration of one component. */
export type ComponentJson = Readonly<Record<string, unknown>>;

/** All components, by key: `switch:0`, `sys`. */
export type ComponentsJson = Readonly<Record<string, ComponentJson>>;

/** A component and its parsed key: `input:2` has the type `input` and the id 2. */
export interface ShellyComponent {
  readonly key: string;
  readonly type: string;
  /** 0 when the device has only one component of the type. */
  readonly id: number;
  readonly config: ComponentJson;
  readonly status: ComponentJson;
}

/** A call that sets a property. */
export interface ShellyCommand {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the component's status confirms the new value. */
  readonly isSo: (status: ComponentJson) => boolean;
}

export interface ShellyProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** Key of the component whose status has the property. */
  readonly component: string;
  /** Undefined when the status does not contain the property, `null` when it has no value. Never throws. */
  readonly read?: ((status: ComponentJson) => Value | undefined) | undefined;
  /** Value of an event of the component (`NotifyEvent`); undefined for an event without a meaning here. */
  readonly event?: ((name: string) => Value | undefined) | undefined;
  /** Left out for a read-only property. The value has already been validated against the description. */
  readonly command?: ((value: Value, status: ComponentJson) => ShellyCommand) | undefined;
  /**
   * Members of the status that list errors; any error makes the value `null`. Defaults to `errors`, or to none for a writable property,
   * because the device knows what it was set to.
   */
  readonly faults?: readonly string[] | undefined;
  /** The configuration defines the meaning of the value, such as its unit; the value is `null` while the configuration changes. */
  readonly isConfigured?: boolean | undefined;
  /** Resolves a collision of addresses by another name, not by another index. */
  readonly apart?: "name" | undefined;
}

/**
 * A device as described to the hub. Its properties have the addresses that their components request, until `placedShelly` assigns the
 * stored ones.
 */
export interface ShellyDescription {
  readonly edgeId: string;
  /** The device's ID in the protocol: `shelly2pmg3-aabbccddeeff`. */
  readonly id: string;
  readonly about: DeviceAbout;
  readonly properties: readonly ShellyProperty[];
  /** How often a sleeping device wakes, ms; undefined for a device that does not sleep. */
  readonly wakeupMs?: number | undefined;
  /** Number of components that are not described, or only in part, by type. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Properties of one component. */
export interface DescribedComponent {
  readonly properties: readonly ShellyProperty[];
  /** Whether the component has functions that are not described. */
  readonly isPartial?: boolean | undefined;
}

export type StatusReader = (status: ComponentJson) => Value | undefined;
type Binding = Pick<ShellyProperty, "read" | "event" | "command" | "faults" | "isConfigured" | "apart">;
type Narrower = Partial<Omit<PropertyDescription, "property" | "type" | "unit">>;

const READ: readonly Access[] = ["read", "notify"];
const READ_WRITE: readonly Access[] = ["read", "write", "notify"];

/** A property of a standard class, with the access that the binding allows. @param index the component's id when left out */
export function standard(
  of: ShellyComponent,
  name: `${string}.${string}`,
  binding: Binding,
  narrower: Narrower = {},
  index = of.id,
): ShellyProperty[] {
  const [service = "", property = ""] = name.split(".");
  const known = standardProperty(service, property);
  if (!known) return [];
  const access = known.access.filter((each) => can(binding, each));
  return [
    {
      address: { service, index: String(index), property },
      description: { ...known, ...narrower, access },
      component: of.key,
      ...binding,
    },
  ];
}

/** A property without a standard class: under `Settings` when it is writable, under `Readings` otherwise. */
export function custom(
  of: ShellyComponent,
  description: Omit<PropertyDescription, "access">,
  binding: Binding,
  { index = of.id, service = binding.command ? "Settings" : "Readings" } = {},
): ShellyProperty[] {
  const all = binding.command ? READ_WRITE : READ;
  const access = all.filter((each) => can(binding, each));
  const address = { service, index: String(index), property: description.property };
  return [{ address, description: { ...description, access }, component: of.key, ...binding }];
}

function can({ read, event, command }: Binding, access: Access): boolean {
  if (access === "read") return read !== undefined;
  if (access === "write") return command !== undefined;
  return read !== undefined || event !== undefined;
}

/** A call that sets members of a component; `isSo` confirms it from the status. */
export function call(
  method: string,
  params: ShellyCommand["params"],
  isSo: ShellyCommand["isSo"] = () => true,
): ShellyCommand {
  return { method, params, isSo };
}

/** Reads a number at a path and multiplies it by a factor. */
export function readsNumber(path: readonly string[], factor = 1): StatusReader {
  return (status) => {
    const found = readNumber(at(status, ...path));
    return typeof found === "number" ? withoutNoise(found * factor) : found;
  };
}

/** Reads a percentage, 0 to 100: a level, a position, a charge. */
export function readsPercent(...path: readonly string[]): StatusReader {
  return (status) => readPercent(at(status, ...path));
}

export function readsFlag(...path: readonly string[]): StatusReader {
  return (status) => readBoolean(at(status, ...path));
}

/** Reads one of these words at a path; any other word is `null`. */
export function readsOneOf(values: readonly string[], ...path: readonly string[]): StatusReader {
  return (status) =>
    readOneOf(
      at(status, ...path),
      values.map((each) => [each, each] as const),
    );
}

/** Reads a text at a path, unchanged. */
export function readsText(...path: readonly string[]): StatusReader {
  return (status) => {
    const found = at(status, ...path);
    return typeof found === "string" || found === undefined ? found : null;
  };
}

/** Applies a reader only while the component is in one of these modes; always when it has no modes. */
export function inMode(modes: readonly string[], read: StatusReader): StatusReader {
  return (status) => {
    const [mode, value] = [status.mode, read(status)];
    return value === undefined || mode === undefined || modes.includes(String(mode)) ? value : null;
  };
}

/** Whether the status has such a member, even with the value `null`. */
export function has(of: ShellyComponent, ...path: readonly string[]): boolean {
  return at(of.status, ...path) !== undefined;
}

/** Errors about load, supply or operation (the part before a colon): the component's values stay valid. */
const CONDITIONS: ReadonlySet<string> = new Set([
  ...["overtemp", "overpower", "overvoltage", "undervoltage", "overcurrent"],
  ...["obstruction", "safety_switch", "cal_abort", "phase_sequence", "no_load", "low_battery", "power_loss"],
]);
const ERRORS = ["errors"];

/** Makes the value `null` while its component reports that it cannot measure: `read`, `out_of_range`, or any unknown error. */
export function endingWithFaults(property: ShellyProperty): ShellyProperty {
  const { read, command, faults = command ? [] : ERRORS } = property;
  if (!read || faults.length === 0) return property;
  return {
    ...property,
    read: (status) => {
      const value = read(status);
      return value !== undefined && faults.some((member) => isFaulty(status[member])) ? null : value;
    },
  };
}

export function isFaulty(errors: unknown): boolean {
  if (errors === undefined || errors === null || errors === "") return false;
  const all: readonly unknown[] = Array.isArray(errors) ? errors : [errors];
  return all.some((each) => typeof each !== "string" || !CONDITIONS.has(each.split(":")[0] ?? ""));
}
