/** Selects the properties of a device that people set most: its switch and its level. Decided from the services alone. Pure. */
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import type { Target } from "../live/target.ts";
import { controlOf, type Range } from "./control-of.ts";

/** A property with everything needed to show and set it. */
export interface Controlled {
  readonly target: Target;
  readonly descriptor: PropertyDescriptor;
}

export interface MainControls {
  /** Switches and locks, one per instance. */
  readonly toggles: readonly Controlled[];
  /** Brightness, position or temperature. */
  readonly level: (Controlled & { readonly range: Range }) | undefined;
}

const TOGGLES: readonly string[] = ["Switch.on", "Fan.on", "Lock.locked", "Valve.open"];
/** In order of preference: the first settable one is the level. */
const LEVELS: readonly string[] = [
  "LightLevel.level",
  "LightLevel.target",
  "Cover.target",
  "Cover.position",
  "Thermostat.target",
  "Fan.speed",
];
/** Maximum number of switches; the device's page has the others. */
const MOST_TOGGLES = 2;

export function mainControlsOf(deviceId: string, services: readonly ServiceDescriptor[]): MainControls {
  const writable = services.flatMap(({ service, index, properties }) =>
    properties
      .filter(({ access }) => access.includes("write"))
      .map((descriptor) => ({
        name: `${service}.${descriptor.property}`,
        controlled: { target: { deviceId, service, index, property: descriptor.property }, descriptor },
      })),
  );
  const toggles = TOGGLES.flatMap((name) =>
    writable.filter((each) => each.name === name && each.controlled.descriptor.type === "boolean"),
  );
  return {
    toggles: toggles.slice(0, MOST_TOGGLES).map(({ controlled }) => controlled),
    level: LEVELS.values()
      .map((name) => levelOf(writable.find((each) => each.name === name)?.controlled))
      .find((each) => each !== undefined),
  };
}

/** `SERVICE.PROPERTY` of everything that the main controls already show. */
export function shownBy({ toggles, level }: MainControls): ReadonlySet<string> {
  return new Set([...toggles, ...(level ? [level] : [])].map(({ target }) => `${target.service}.${target.property}`));
}

function levelOf(controlled: Controlled | undefined): MainControls["level"] {
  const control = controlled && controlOf(controlled.target.service, controlled.descriptor);
  return controlled && control?.kind === "slider" ? { ...controlled, range: control.range } : undefined;
}

/** How many devices of a group are on. */
interface Agreement {
  readonly on: number;
  /** Number of devices with an unknown state. */
  readonly unknown: number;
  readonly all: number;
}

export function agreementOf(toggles: readonly Controlled[]): Agreement {
  const values = toggles.map(({ descriptor }) => descriptor.value);
  return {
    on: values.filter((value) => value === true).length,
    unknown: values.filter((value) => typeof value !== "boolean").length,
    all: values.length,
  };
}

/** "3 of 4 on"; "all on"; "2 of 4 on, 1 unknown". */
export function agreementWords({ on, unknown, all }: Agreement): string {
  const rest = unknown === 0 ? "" : `, ${unknown} unknown`;
  if (on === all) return all === 1 ? "on" : "all on";
  if (on === 0 && unknown === 0) return all === 1 ? "off" : "all off";
  return `${on} of ${all} on${rest}`;
}
