/** The parts that components build from entities: properties that have no index yet. */
import { type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import type { MqttState, Publication } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";

/** The last received value of another property of the same entity; undefined when there was none. */
export type KnownPart = (service: string, property: string) => Value | undefined;

export interface PartState extends Omit<MqttState, "read"> {
  /** See {@link MqttState}. @param known the last received values of the same entity */
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
  /** Distinguishes several parts of one class in an entity: independent of the entity's name. */
  readonly role?: string | undefined;
}

/** The name of a property of no standard class, and its role in its entity. */
export interface PartName {
  readonly name: string;
  readonly role: string;
}

type Range = Partial<Pick<PropertyDescription, "unit" | "min" | "max" | "step" | "values">>;

/** Service for settable properties of no standard class. */
export const SETTINGS = "Settings";
/** Service for all other properties of no standard class. */
export const READINGS = "Readings";

const LONGEST_UNIT = 16;

/** Empty when the property can be neither read nor set. */
export function standardPart(service: string, property: string, binding: PartBinding, narrower: Range = {}): Part[] {
  const standard = standardProperty(service, property);
  if (!standard) return [];
  const canWrite = standard.access.includes("write");
  const bound = canWrite ? binding : { ...binding, set: undefined };
  const access = standard.access.filter((each) => (each === "write" ? bound.set : bound.state) !== undefined);
  return access.length === 0 ? [] : [{ service, description: { ...standard, ...stated(narrower), access }, ...bound }];
}

/** A property that has events only. */
export function eventPart(
  service: string,
  role: string,
  description: Omit<PropertyDescription, "access">,
  state: PartState,
): Part {
  return { service, role, description: { ...description, access: ["notify"] }, state };
}

/** Empty when the property can be neither read nor set. The name is made unique later. */
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
  return [{ service, role, description: { property, type, ...stated(range), access }, ...binding }];
}

/** Removes undefined members, and units that no description can have. */
function stated({ unit, min, max, step, values }: Range): Range {
  return {
    ...(unit === undefined || unit === "" || unit.length > LONGEST_UNIT ? {} : { unit }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(step === undefined ? {} : { step }),
    ...(values === undefined || values.length === 0 ? {} : { values }),
  };
}
