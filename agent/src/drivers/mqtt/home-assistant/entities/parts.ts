/** What components make of entities: properties that do not know yet which index they get. */
import { type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import type { MqttState, Publication } from "../../device/mqtt-device.ts";

/** What was last heard of another property of the same entity; undefined when nothing was. */
export type KnownPart = (service: string, property: string) => Value | undefined;

export interface PartBinding {
  readonly state?: MqttState | undefined;
  /** @throws Error when its template fails for this value */
  readonly set?: ((value: Value, known: KnownPart) => Publication) | undefined;
  readonly tolerance?: number | undefined;
}

export interface Part extends PartBinding {
  readonly service: string;
  readonly description: PropertyDescription;
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
export function eventPart(service: string, description: Omit<PropertyDescription, "access">, state: MqttState): Part {
  return { service, description: { ...description, access: ["notify"] }, state };
}

/** Nothing when it can neither be read nor set. @param property its name, made unique later */
export function customPart(
  property: string,
  type: PropertyDescription["type"],
  binding: PartBinding,
  range: Range = {},
): Part[] {
  const { state, set } = binding;
  if (!state && !set) return [];
  const can = { read: state !== undefined, write: set !== undefined, notify: state !== undefined };
  const access = (["read", "write", "notify"] as const).filter((each) => can[each]);
  const service = set ? SETTINGS : READINGS;
  return [{ service, description: { property, type, ...said(range), access }, ...binding }];
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
