/** What components make of entities: properties that do not know yet which index they get. */
import { type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import type { MqttState, Publication } from "../../device/mqtt-device.ts";
import type { Payload } from "../../device/payload.ts";

/** What was last heard of another property of the same entity; undefined when nothing was. */
export type KnownPart = (service: string, property: string) => Value | undefined;

export interface PartState extends Omit<MqttState, "read"> {
  /** As that of {@link MqttState}. @param known what was last heard of the same entity */
  readonly read: (payload: Payload, known?: KnownPart) => Value | undefined;
}

export interface PartBinding {
  readonly state?: PartState | undefined;
  /** @throws Error when its template fails for this value */
  readonly set?: ((value: Value, known: KnownPart) => Publication) | undefined;
  readonly tolerance?: number | undefined;
}

export interface Part extends PartBinding {
  readonly service: string;
  readonly description: PropertyDescription;
  /** Which part of its entity it is, where one entity has several of a class: it does not follow the entity's name. */
  readonly role?: string | undefined;
}

/** What a property of its own class is called, and which part of its entity it is. */
export interface PartName {
  readonly name: string;
  readonly role: string;
}

type Range = Partial<Pick<PropertyDescription, "unit" | "min" | "max" | "step" | "values">>;

/** Settable properties that no standard class has. */
export const SETTINGS = "Settings";
/** Others that no standard class has. */
export const READINGS = "Readings";

const LONGEST_UNIT = 16;

/** Nothing when it can neither be read nor set. */
export function standardPart(service: string, property: string, binding: PartBinding, narrower: Range = {}): Part[] {
  const standard = standardProperty(service, property);
  if (!standard) return [];
  const canWrite = standard.access.includes("write");
  const bound = canWrite ? binding : { ...binding, set: undefined };
  const access = standard.access.filter((each) => (each === "write" ? bound.set : bound.state) !== undefined);
  return access.length === 0 ? [] : [{ service, description: { ...standard, ...said(narrower), access }, ...bound }];
}

/** A property that can only happen. */
export function eventPart(
  service: string,
  role: string,
  description: Omit<PropertyDescription, "access">,
  state: PartState,
): Part {
  return { service, role, description: { ...description, access: ["notify"] }, state };
}

/** Nothing when it can neither be read nor set. The name is made unique later. */
export function customPart(
  { name: property, role }: PartName,
  type: PropertyDescription["type"],
  binding: PartBinding,
  range: Range = {},
): Part[] {
  const { state, set } = binding;
  if (!state && !set) return [];
  const can = { read: state !== undefined, write: set !== undefined, notify: state !== undefined };
  const access = (["read", "write", "notify"] as const).filter((each) => can[each]);
  const service = set ? SETTINGS : READINGS;
  return [{ service, role, description: { property, type, ...said(range), access }, ...binding }];
}

/** Without what is undefined, and without units that no description can have. */
function said({ unit, min, max, step, values }: Range): Range {
  return {
    ...(unit === undefined || unit === "" || unit.length > LONGEST_UNIT ? {} : { unit }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(step === undefined ? {} : { step }),
    ...(values === undefined || values.length === 0 ? {} : { values }),
  };
}
