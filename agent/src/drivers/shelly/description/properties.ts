/** Makes properties of a component: of the catalogue, or of the device's own, each read from a member of its status. */
import { type Access, type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import { at } from "../../kit/index.ts";
import type { ComponentJson, ShellyCommand, ShellyComponent, ShellyProperty } from "./shelly-property.ts";

export type Read = (status: ComponentJson) => Value | undefined;
type Binding = Pick<ShellyProperty, "read" | "event" | "command">;
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

/** A property that no standard class has: of `Settings` where it can be set, of `Readings` otherwise. */
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

/** The call that sets members of a component, confirmed by `isSo`. */
export function call(
  method: string,
  params: ShellyCommand["params"],
  isSo: ShellyCommand["isSo"] = () => true,
): ShellyCommand {
  return { method, params, isSo };
}

/** A number at a path, times a factor; without what binary fractions add. */
export function readsNumber(path: readonly string[], factor = 1): Read {
  return (status) => {
    const found = at(status, ...path);
    if (typeof found !== "number" || !Number.isFinite(found)) return found === null ? null : undefined;
    return Number((found * factor).toPrecision(12));
  };
}

export function readsFlag(...path: readonly string[]): Read {
  return (status) => {
    const found = at(status, ...path);
    return typeof found === "boolean" || found === null ? found : undefined;
  };
}

/** A word at a path; longer texts than a value may be are no value. */
export function readsText(...path: readonly string[]): Read {
  return (status) => {
    const found = at(status, ...path);
    return typeof found === "string" || found === null ? found : undefined;
  };
}

/** What another reader reads, as long as the component tells no error: with one, a sensor's number means nothing. */
export function withoutErrors(read: Read): Read {
  return (status) => {
    const errors = at(status, "errors");
    return Array.isArray(errors) && errors.length > 0 ? null : read(status);
  };
}

/** Whether the status has such a member, with or without a value. */
export function has(of: ShellyComponent, ...path: readonly string[]): boolean {
  return at(of.status, ...path) !== undefined;
}
