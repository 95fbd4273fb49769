/** `cover`, `fan`, `lock`, `valve` and `climate`: entities that combine the properties of one index of a standard class. */
import { addressKey, type DescribedProperty, type DeviceDescription, describe } from "@porchlight/shared/model";
import type { Entity } from "./discovery-configs.ts";
import { withIndex } from "./entity-names.ts";
import { FALSE, TRUE, topics, wholeNumber, wordsOf } from "./singles.ts";
import type { PropertyTopics } from "./topics.ts";

/** Makes an entity from the properties of that index, and claims them; undefined when they do not suffice. */
export type ApplianceMaker = (unclaimed: Unclaimed, index: string, of: PropertyTopics) => Entity | undefined;

/** Words for the modes and actions of a thermostat that Home Assistant knows. */
const CLIMATE_MODES = new Set(["off", "heat", "cool", "auto"]);
const CLIMATE_ACTIONS = new Set(["idle", "heating", "cooling"]);
/** Step of a thermostat without one, °C. */
const TARGET_STEP = 0.5;

export const coverEntity: ApplianceMaker = (unclaimed, index, of) => {
  const target = unclaimed.settable("Cover", index, "target") ?? unclaimed.settable("Cover", index, "position");
  if (!target) return undefined;
  const position = unclaimed.readable("Cover", index, "position");
  const movement = unclaimed.readable("Cover", index, "movement");
  unclaimed.claim(target, position, movement);
  const { state, set } = of;
  return appliance("cover", "Cover", index, {
    ...(position ? { position_topic: state(position) } : {}),
    // Home Assistant accepts a position command only with a reported position.
    ...(position && !goesAllTheWay(target) ? { set_position_topic: set(target) } : {}),
    ...(movement ? { state_topic: state(movement) } : {}),
    command_topic: set(target),
    payload_open: "100",
    payload_close: "0",
    payload_stop: null,
  });
};

/** Whether the cover opens and closes completely, without positions between. */
function goesAllTheWay({ description: { values, step } }: DescribedProperty): boolean {
  return values !== undefined || (step !== undefined && step >= 100);
}

export const fanEntity: ApplianceMaker = (unclaimed, index, of) => {
  const on = unclaimed.settable("Fan", index, "on");
  if (!on) return undefined;
  const speed = unclaimed.settable("Fan", index, "speed");
  unclaimed.claim(on, speed);
  const keys = { state: "percentage_state_topic", command: "percentage_command_topic" };
  return appliance("fan", "Fan", index, {
    ...topics(of, on),
    payload_on: TRUE,
    payload_off: FALSE,
    ...topics(of, speed, keys),
    ...wholeNumber(speed, "percentage_value_template"),
  });
};

export const lockEntity: ApplianceMaker = (unclaimed, index, of) => {
  const locked = unclaimed.settable("Lock", index, "locked");
  if (!locked) return undefined;
  unclaimed.claim(locked);
  return appliance("lock", "Lock", index, {
    ...topics(of, locked),
    payload_lock: TRUE,
    payload_unlock: FALSE,
    state_locked: TRUE,
    state_unlocked: FALSE,
  });
};

export const valveEntity: ApplianceMaker = (unclaimed, index, of) => {
  const open = unclaimed.settable("Valve", index, "open");
  if (!open) return undefined;
  unclaimed.claim(open);
  return appliance("valve", "Valve", index, {
    ...topics(of, open),
    payload_open: TRUE,
    payload_close: FALSE,
    state_open: TRUE,
    state_closed: FALSE,
    reports_position: false,
  });
};

/** A thermostat, with the temperature reading of its own index, which it controls. */
export const climateEntity: ApplianceMaker = (unclaimed, index, of) => {
  const mode = known(unclaimed.settable("Thermostat", index, "mode"), CLIMATE_MODES);
  const target = unclaimed.settable("Thermostat", index, "target");
  if (!mode && !target) return undefined;
  const activity = known(unclaimed.readable("Thermostat", index, "activity"), CLIMATE_ACTIONS);
  const measured = unclaimed.readable("Temperature", index, "celsius");
  unclaimed.claim(mode, target, activity, measured);
  return appliance("climate", "Thermostat", index, {
    ...(mode ? { ...topics(of, mode, keysOf("mode")), modes: wordsOf(mode) } : { modes: [] }),
    ...(target ? { ...topics(of, target, keysOf("temperature")), ...rangeOf(target) } : {}),
    ...(activity ? { action_topic: of.state(activity) } : {}),
    ...(measured ? { current_temperature_topic: of.state(measured) } : {}),
    temperature_unit: "C",
    precision: 0.1,
  });
};

function keysOf(what: string) {
  return { state: `${what}_state_topic`, command: `${what}_command_topic` };
}

function rangeOf({ description: { min = 5, max = 35, step = TARGET_STEP } }: DescribedProperty) {
  return { min_temp: min, max_temp: max, temp_step: step };
}

/** The property, or undefined when it has a word that Home Assistant does not know. */
function known(property: DescribedProperty | undefined, words: ReadonlySet<string>): DescribedProperty | undefined {
  const values = property ? wordsOf(property) : [];
  return values.length > 0 && values.every((word) => words.has(word)) ? property : undefined;
}

function appliance(component: string, name: string, index: string, options: Entity["options"]): Entity {
  return { component, object: `${component}_${index}`, name: withIndex(name, index), isMain: true, options };
}

/** The properties of a device without an entity so far: entities of several properties claim theirs before single properties are handled. */
export class Unclaimed {
  readonly #properties: Map<string, DescribedProperty>;
  /** Services and indexes in the order of the description. */
  readonly instances: readonly (readonly [service: string, index: string])[];

  constructor(description: DeviceDescription) {
    this.#properties = new Map(describe(description).byKey);
    this.instances = description.map(({ service, index }) => [service, index]);
  }

  /** The property, if no entity has claimed it. */
  look(service: string, index: string, property: string): DescribedProperty | undefined {
    return this.#properties.get(addressKey({ service, index, property }));
  }

  /** As {@link look}, if it can be set. */
  settable(service: string, index: string, property: string): DescribedProperty | undefined {
    const found = this.look(service, index, property);
    return found?.writable ? found : undefined;
  }

  /** As {@link look}, if it can be read. */
  readable(service: string, index: string, property: string): DescribedProperty | undefined {
    const found = this.look(service, index, property);
    return found?.readable ? found : undefined;
  }

  claim(...properties: readonly (DescribedProperty | undefined)[]): void {
    for (const property of properties) if (property) this.#properties.delete(property.key);
  }

  /** The unclaimed properties. */
  [Symbol.iterator](): IterableIterator<DescribedProperty> {
    return this.#properties.values();
  }
}
