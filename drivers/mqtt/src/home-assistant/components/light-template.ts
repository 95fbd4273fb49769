/** Lights of the template schema: one topic in each direction, a template for every property of the state, and one each for on and off. */
import { type HueAndSaturation, hueAndSaturationOf, isNoValue } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { Payload } from "../../device/payload.ts";
import { asNumber, commandOf, meaning, numberBy, oneOf, stateBy, stateOf, tidy } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import {
  customPart,
  type KnownPart,
  type Part,
  type PartBinding,
  type PartState,
  standardPart,
} from "../entity-parts.ts";
import { jsonLight } from "./light-json.ts";
import {
  brightnessOf,
  type ColourBinding,
  colourParts,
  colourTemperatureOf,
  levelPart,
  lightLevelOf,
  percentOfBrightness,
  readColour,
  redGreenBlue,
  temperaturePart,
} from "./light-parts.ts";
import { plainLight } from "./light-plain.ts";

/** These lights count to 255, independent of the device. */
const SCALE = 255;
const ON = { topic: "command_topic", template: "command_on_template" };
const OFF = { topic: "command_topic", template: "command_off_template" };

const templateLight: Component = (options) => [
  ...on(options),
  ...level(options),
  ...colour(options),
  ...temperature(options),
  ...effect(options),
];

/** Renders the template for on with these variables added. */
function turnOn(options: EntityOptions, more: (value: Value) => Readonly<Record<string, unknown>>): PartBinding["set"] {
  if (!options.has("command_on_template")) return undefined;
  return commandOf(options, ON, (value) => ({ value: "on", state: "on", ...more(value) }));
}

function turnOff(options: EntityOptions): PartBinding["set"] {
  if (!options.has("command_off_template")) return undefined;
  return commandOf(options, OFF, () => ({ value: "off", state: "off" }));
}

function on(options: EntityOptions): readonly Part[] {
  const state = onState(options);
  const [start, end] = [turnOn(options, () => ({})), turnOff(options)];
  const set: PartBinding["set"] =
    start && end
      ? (value: Value, known: KnownPart) => (value === true ? start(value, known) : end(value, known))
      : undefined;
  return standardPart("Switch", "on", { state, set });
}

function onState(options: EntityOptions): PartState | undefined {
  const words = meaning([
    ["on", true],
    ["off", false],
  ]);
  if (!options.has("state_template")) return undefined;
  return stateOf(options, { topic: "state_topic", template: "state_template" }, words);
}

/** A light that is off has no level. */
function level(options: EntityOptions): readonly Part[] {
  if (!options.has("brightness_template")) return [];
  const convert = numberBy((reported) => percentOfBrightness(reported, SCALE));
  const reported = stateOf(options, { topic: "state_topic", template: "brightness_template" }, convert);
  const isOn = onState(options);
  const state = reported && {
    ...reported,
    read: (payload: Payload, known?: KnownPart) => {
      const brightness = reported.read(payload);
      return lightLevelOf(
        isOn?.read(payload),
        brightness === undefined ? undefined : (asNumber(brightness) ?? null),
        known,
      );
    },
  };
  const [set, end] = [turnOn(options, (value) => ({ brightness: brightnessOf(value, SCALE) })), turnOff(options)];
  return levelPart(SCALE, { state, set: set && ((value, known) => (value === 0 && end ? end : set)(value, known)) });
}

function temperature(options: EntityOptions): readonly Part[] {
  if (!options.has("color_temp_template")) return [];
  const of = colourTemperatureOf(options);
  const state = stateOf(options, { topic: "state_topic", template: "color_temp_template" }, numberBy(of.toKelvin));
  return temperaturePart(of, { state, set: turnOn(options, (value) => ({ color_temp: of.ofKelvin(Number(value)) })) });
}

function colour(options: EntityOptions): readonly Part[] {
  const keys = ["red_template", "green_template", "blue_template"];
  if (!keys.every((key) => options.has(key))) return [];
  const [red, green, blue] = keys.map((key) => options.reader(key));
  if (!red || !green || !blue) return [];
  const part = (name: "hue" | "saturation") =>
    stateBy(options, "state_topic", (payload) => {
      const parts = [red, green, blue].map((read) => read(payload));
      if (parts.every((part) => part === undefined)) return isNoValue(payload.text) ? null : undefined;
      const colour = readColour(parts, [255, 255, 255], (r = 0, g = 0, b = 0) => hueAndSaturationOf(r, g, b));
      return colour && tidy(colour[name]);
    });
  const command = turnOn(options, (value) => ({ ...redGreenBlue(colourOf(value)), ...hueAndSat(colourOf(value)) }));
  const set: ColourBinding["set"] = command && ((of, known) => command({ ...of }, known));
  return colourParts({ hue: part("hue"), saturation: part("saturation"), set });
}

function hueAndSat({ hue, saturation }: HueAndSaturation) {
  return { hue, sat: saturation };
}

function colourOf(value: Value): HueAndSaturation {
  if (typeof value !== "object" || value === null || !("hue" in value)) return { hue: 0, saturation: 0 };
  return { hue: Number(value.hue), saturation: Number(value.saturation) };
}

function effect(options: EntityOptions): readonly Part[] {
  const values = options.words("effect_list");
  if (values.length === 0) return [];
  const state = options.has("effect_template")
    ? stateOf(options, { topic: "state_topic", template: "effect_template" }, oneOf(values))
    : undefined;
  const set = turnOn(options, (value) => ({ effect: value }));
  return customPart(options.partName("effect"), "string", { state, set }, { values });
}

/** `light`: one of three schemas, which define its state and its commands. */
export const light: Component = (options) => {
  const schema = options.text("schema") ?? "basic";
  if (schema === "json") return jsonLight(options);
  if (schema === "template") return templateLight(options);
  if (schema === "basic" || schema === "default") return plainLight(options);
  options.leaveAside("badOption", "schema is not one for lights");
  return [];
};
