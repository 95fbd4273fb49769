/** Builds the properties of a component, standard or custom, each read from a member of its status. */
import { at, readBoolean, readNumber, readOneOf, readPercent, withoutNoise } from "@porchlight/driver-kit";
import { type Access, type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import type { ComponentJson, ShellyCommand, ShellyComponent, ShellyProperty } from "./shelly-property.ts";

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
