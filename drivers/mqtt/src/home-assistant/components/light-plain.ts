/** Lights of the default schema: each property has its own topics. */
import { type HueAndSaturation, hueAndSaturationOf, hueAndSaturationOfXy } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { MqttCondition } from "../../device/mqtt-device.ts";
import type { Payload } from "../../device/payload.ts";
import { asNumber, type CommandVariables, commandOf, numberBy, stateOf, tidy } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, type Part, type PartBinding, type PartState, standardPart } from "../entity-parts.ts";
import { colourPointOf } from "./light-json.ts";
import {
  brightnessOf,
  type ColourBinding,
  colourParts,
  colourTemperatureOf,
  levelPart,
  POINT_COARSENESS,
  percentOfBrightness,
  readColour,
  redGreenBlue,
  temperaturePart,
} from "./light-parts.ts";
import { choice, onOff } from "./settings.ts";

const MODE = { topic: "color_mode_state_topic", template: "color_mode_value_template" };
/** Modes in which a light shows a colour or a colour temperature; in all others it shows neither. */
const MODES = new Set(["color_temp", "hs", "xy", "rgb", "rgbw", "rgbww"]);
const BRIGHTNESS = { topic: "brightness_command_topic", template: "brightness_command_template" };

export const plainLight: Component = (options) => [
  ...on(options),
  ...level(options),
  ...colour(options),
  ...temperature(options),
  ...effect(options),
];

/** A light whose commands are levels is switched on by its last level. */
function on(options: EntityOptions): readonly Part[] {
  const template = options.has("state_value_template") ? "state_value_template" : "value_template";
  const binding = onOff(options, { topic: "state_topic", template }, { topic: "command_topic" });
  const setLevel = options.text("on_command_type") === "brightness" ? levelCommand(options) : undefined;
  const turnOnOrOff = binding.set;
  if (!setLevel || !turnOnOrOff) return standardPart("Switch", "on", binding);
  const set: PartBinding["set"] = (value, known) => {
    if (value !== true) return turnOnOrOff(value, known);
    const last = asNumber(known("LightLevel", "level"));
    return setLevel(last === undefined || last === 0 ? 100 : last, known);
  };
  return standardPart("Switch", "on", { ...binding, set });
}

function level(options: EntityOptions): readonly Part[] {
  const scale = scaleOf(options);
  const convert = numberBy((reported) => percentOfBrightness(reported, scale));
  const state = stateOf(options, { topic: "brightness_state_topic", template: "brightness_value_template" }, convert);
  return levelPart(scale, { state, set: levelCommand(options) });
}

function levelCommand(options: EntityOptions): PartBinding["set"] {
  return commandOf(options, BRIGHTNESS, (value) => ({ value: brightnessOf(value, scaleOf(options)) }));
}

function scaleOf(options: EntityOptions): number {
  const scale = options.number("brightness_scale") ?? 255;
  return scale >= 1 ? scale : 255;
}

interface ColourWay {
  readonly key: string;
  /** Maximum of each of its numbers. */
  readonly most: readonly number[];
  readonly read: (...numbers: number[]) => HueAndSaturation | null;
  readonly write: (colour: HueAndSaturation) => CommandVariables;
  readonly coarse?: number;
}

const fromRgb = (red = 0, green = 0, blue = 0) => hueAndSaturationOf(red, green, blue);

/** Forms of a colour, the form nearest to hue and saturation first. White channels stay off: they are no part of a hue. */
const COLOURS: readonly ColourWay[] = [
  {
    key: "hs",
    most: [360, 100],
    read: (hue = 0, saturation = 0) => ({ hue, saturation }),
    write: ({ hue, saturation }) => ({ value: `${tidy(hue)},${tidy(saturation)}`, hue, sat: saturation }),
  },
  { key: "rgb", most: [255, 255, 255], read: fromRgb, write: (colour) => withParts(colour, []) },
  { key: "rgbw", most: [255, 255, 255, 255], read: fromRgb, write: (colour) => withParts(colour, ["white"]) },
  {
    key: "rgbww",
    most: [255, 255, 255, 255, 255],
    read: fromRgb,
    write: (colour) => withParts(colour, ["cold_white", "warm_white"]),
  },
  {
    key: "xy",
    most: [1, 1],
    read: (x = 0, y = 0) => hueAndSaturationOfXy(x, y),
    write: (colour) => {
      const { x, y } = colourPointOf(colour);
      return { value: `${x},${y}`, x, y };
    },
    coarse: POINT_COARSENESS,
  },
];

function withParts(colour: HueAndSaturation, whites: readonly string[]): CommandVariables {
  const { red, green, blue } = redGreenBlue(colour);
  const value = [red, green, blue, ...whites.map(() => 0)].join(",");
  return { value, red, green, blue, ...Object.fromEntries(whites.map((name) => [name, 0])) };
}

function wayOf(options: EntityOptions): ColourWay | undefined {
  return (
    COLOURS.find(({ key }) => options.has(`${key}_command_topic`)) ??
    COLOURS.find(({ key }) => options.has(`${key}_state_topic`))
  );
}

function colourState(options: EntityOptions, { key, most, read }: ColourWay, name: "hue" | "saturation") {
  return stateOf(options, { topic: `${key}_state_topic`, template: `${key}_value_template` }, (text) => {
    const parts = text.split(",");
    const colour = parts.length === most.length ? readColour(parts, most, read) : null;
    return colour && tidy(colour[name]);
  });
}

function colour(options: EntityOptions): readonly Part[] {
  const way = wayOf(options);
  if (!way) return [];
  const { key, write, coarse } = way;
  const part = (name: "hue" | "saturation") => withMode(colourState(options, way, name), options, "colour");
  const keys = { topic: `${key}_command_topic`, template: `${key}_command_template` };
  const command = commandOf(options, keys, (value) => write(colourIn(value)));
  const set: ColourBinding["set"] = command && ((of, known) => command({ ...of }, known));
  return colourParts({ hue: part("hue"), saturation: part("saturation"), set, coarse });
}

function colourIn(value: Value): HueAndSaturation {
  if (typeof value !== "object" || value === null || !("hue" in value)) return { hue: 0, saturation: 0 };
  return { hue: Number(value.hue), saturation: Number(value.saturation) };
}

function temperature(options: EntityOptions): readonly Part[] {
  const of = colourTemperatureOf(options);
  const keys = { topic: "color_temp_state_topic", template: "color_temp_value_template" };
  const command = { topic: "color_temp_command_topic", template: "color_temp_command_template" };
  const state = withMode(stateOf(options, keys, numberBy(of.toKelvin)), options, "temperature");
  const set = commandOf(options, command, (value) => ({ value: of.ofKelvin(Number(value)) }));
  return temperaturePart(of, { state, set });
}

/**
 * The value holds while the light shows a colour, or a colour temperature: by the topic of its mode, otherwise by which of the two was
 * reported last.
 */
function withMode(
  state: PartBinding["state"],
  options: EntityOptions,
  what: "colour" | "temperature",
): PartBinding["state"] {
  const topics = modeTopics(options, what);
  if (!state || topics.length === 0) return state;
  const isLiveOnly = !options.has(MODE.topic);
  const id = `${options.entity.id} ${what}`;
  return { ...state, holds: [{ ...{ id, topics, isLiveOnly }, mode: "latest", initially: true }] };
}

function modeTopics(options: EntityOptions, what: "colour" | "temperature"): MqttCondition["topics"] {
  const isOwn = (mode: string) =>
    what === "colour" ? mode !== "color_temp" && MODES.has(mode) : mode === "color_temp";
  const reported = stateOf(options, MODE, isOwn);
  if (reported) {
    const read = (payload: Payload) => {
      const mode = reported.read(payload);
      return mode === undefined ? undefined : mode === true;
    };
    return [{ topic: reported.topic, read }];
  }
  const way = wayOf(options);
  const colours = way && colourState(options, way, "hue");
  const keys = { topic: "color_temp_state_topic", template: "color_temp_value_template" };
  const kelvins = stateOf(options, keys, numberBy(colourTemperatureOf(options).toKelvin));
  // On a shared topic, each message contains both.
  if (!colours || !kelvins || colours.topic === kelvins.topic) return [];
  const says = ({ topic, read }: PartState, is: boolean) => ({
    topic,
    read: (payload: Payload) => (typeof read(payload) === "number" ? is : undefined),
  });
  return [says(colours, what === "colour"), says(kelvins, what === "temperature")];
}

function effect(options: EntityOptions): readonly Part[] {
  const values = options.words("effect_list");
  if (values.length === 0) return [];
  const state = { topic: "effect_state_topic", template: "effect_value_template" };
  const command = { topic: "effect_command_topic", template: "effect_command_template" };
  return customPart(options.partName("effect"), "string", choice(options, state, command, values), { values });
}
