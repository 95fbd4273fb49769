/** `light`: what is switched, dimmed and coloured under one index, as one lamp. */
import type { DescribedProperty } from "@porchlight/shared/model";
import { COLOUR, type PropertyTopics } from "../messages/topics.ts";
import type { Entity } from "./entity.ts";
import { withIndex } from "./names.ts";
import { FALSE, TRUE, topics, wholeNumber } from "./options.ts";
import type { Unclaimed } from "./unclaimed.ts";

/** The lamp of that index; undefined when there is none. */
export function lightEntity(unclaimed: Unclaimed, index: string, of: PropertyTopics): Entity | undefined {
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

/** A lamp that has a level only is off at 0, and is switched on by its level. */
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
