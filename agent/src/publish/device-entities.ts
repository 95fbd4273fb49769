/** The entities of a device: first those that combine several properties, then one for each remaining property. */
import type { DescribedProperty, DeviceDescription } from "@porchlight/shared/model";
import {
  type ApplianceMaker,
  climateEntity,
  coverEntity,
  fanEntity,
  lockEntity,
  Unclaimed,
  valveEntity,
} from "./appliances.ts";
import type { Entity, NoEntity } from "./discovery-configs.ts";
import { withIndex } from "./entity-names.ts";
import { FALSE, single, TRUE, topics, wholeNumber } from "./singles.ts";
import { COLOUR, type PropertyTopics } from "./topics.ts";

/** The `light` of that index, which combines switch, level and colour into one lamp; undefined when there is none. */
function lightEntity(unclaimed: Unclaimed, index: string, of: PropertyTopics): Entity | undefined {
  const on = unclaimed.settable("Switch", index, "on");
  const level = unclaimed.settable("LightLevel", index, "level");
  const hue = unclaimed.settable("LightColor", index, "hue");
  const saturation = unclaimed.settable("LightColor", index, "saturation");
  const kelvin = unclaimed.settable("LightTemperature", index, "kelvin");
  const colour = hue && saturation ? { hue, saturation } : undefined;
  const isLamp = level !== undefined || (on !== undefined && (colour !== undefined || kelvin !== undefined));
  if (!isLamp) return undefined;
  unclaimed.claim(on, level, colour?.hue, colour?.saturation, kelvin);
  return {
    component: "light",
    object: `light_${index}`,
    name: withIndex("Light", index),
    isMain: true,
    options: {
      ...(on ? switched(on, of) : switchedByLevel(level, of)),
      ...(level ? dimmed(level, of) : {}),
      ...(colour ? coloured(colour, of) : {}),
      ...(kelvin ? temperature(kelvin, of) : {}),
    },
    colour,
  };
}

function switched(on: DescribedProperty, of: PropertyTopics) {
  return { ...topics(of, on), payload_on: TRUE, payload_off: FALSE };
}

/** A lamp with a level only: it is off at 0, and is switched on by its level. */
function switchedByLevel(level: DescribedProperty | undefined, of: PropertyTopics) {
  const full = String(scaleOf(level));
  return {
    ...topics(of, level),
    payload_on: full,
    payload_off: "0",
    on_command_type: "brightness",
    ...(level?.readable ? { state_value_template: `{{ value if value in ['0', 'None'] else '${full}' }}` } : {}),
  };
}

function dimmed(level: DescribedProperty, of: PropertyTopics) {
  const keys = { state: "brightness_state_topic", command: "brightness_command_topic" };
  return { ...topics(of, level, keys), brightness_scale: scaleOf(level) };
}

function scaleOf(level: DescribedProperty | undefined): number {
  const { max = 100 } = level?.description ?? {};
  return Math.max(1, Math.round(max));
}

function coloured({ hue, saturation }: { hue: DescribedProperty; saturation: DescribedProperty }, of: PropertyTopics) {
  const both = { ...hue, property: COLOUR, readable: hue.readable && saturation.readable };
  return topics(of, both, { state: "hs_state_topic", command: "hs_command_topic" });
}

function temperature(kelvin: DescribedProperty, of: PropertyTopics) {
  const { min = 1000, max = 10_000 } = kelvin.description;
  return {
    ...topics(of, kelvin, { state: "color_temp_state_topic", command: "color_temp_command_topic" }),
    ...wholeNumber(kelvin, "color_temp_value_template"),
    color_temp_kelvin: true,
    min_kelvin: Math.ceil(min),
    max_kelvin: Math.floor(max),
  };
}

export interface DeviceEntities {
  readonly entities: readonly Entity[];
  /** Counts of the properties without an entity, by reason. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** The makers by the service that triggers them. */
const APPLIANCES: Readonly<Record<string, ApplianceMaker>> = {
  Switch: lightEntity,
  LightLevel: lightEntity,
  Cover: coverEntity,
  Fan: fanEntity,
  Lock: lockEntity,
  Valve: valveEntity,
  Thermostat: climateEntity,
};

/** @param most maximum number of entities; further properties get none */
export function entitiesOf(description: DeviceDescription, of: PropertyTopics, most: number): DeviceEntities {
  const unclaimed = new Unclaimed(description);
  const found: (Entity | NoEntity)[] = [];
  for (const [service, index] of unclaimed.instances) {
    const maker = Object.hasOwn(APPLIANCES, service) ? APPLIANCES[service] : undefined;
    const made = maker?.(unclaimed, index, of);
    if (made) found.push(made);
  }
  for (const property of unclaimed) found.push(single(property, of));
  const leftAside: Record<string, number> = {};
  const entities = new Map<string, Entity>();
  for (const each of found) {
    const reason = typeof each === "string" ? each : refusalOf(each, entities, most);
    if (reason) leftAside[reason] = (leftAside[reason] ?? 0) + 1;
    else if (typeof each !== "string") entities.set(`${each.component}/${each.object}`, each);
  }
  return { entities: [...entities.values()], leftAside };
}

function refusalOf(entity: Entity, others: ReadonlyMap<string, Entity>, most: number): NoEntity | undefined {
  if (others.has(`${entity.component}/${entity.object}`)) return "sameName";
  return others.size >= most ? "tooManyEntities" : undefined;
}
