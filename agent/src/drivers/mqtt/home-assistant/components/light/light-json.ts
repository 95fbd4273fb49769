/** Lights of the JSON schema: all that they say, and all that they are told, stands at fixed places of one object. */
import type { Value } from "@porchlight/shared/model";
import { type HueAndSaturation, hueAndSaturationOf, hueAndSaturationOfXy } from "../../../../kit/index.ts";
import type { Payload } from "../../../device/payload.ts";
import { commandOf, stateBy } from "../../entities/bindings.ts";
import type { EntityOptions } from "../../entities/entity-options.ts";
import { customPart, type Part, type PartBinding, standardPart } from "../../entities/parts.ts";
import { tidy } from "../../entities/values.ts";
import type { Component } from "../component.ts";
import { colourPointOf } from "./colour-point.ts";
import {
  brightnessOf,
  colourParts,
  colourTemperatureOf,
  levelPart,
  POINT_COARSENESS,
  percentOfBrightness,
  redGreenBlue,
  temperaturePart,
} from "./light-parts.ts";

type Said = Readonly<Record<string, unknown>>;

const COLOUR_MODES = ["hs", "xy", "rgb", "rgbw", "rgbww"] as const;
type ColourMode = (typeof COLOUR_MODES)[number];

export const jsonLight: Component = (options) => {
  const modes = new Set(options.words("supported_color_modes"));
  // Before there were colour modes, each had an option of its own.
  const has = (mode: string) => modes.has(mode) || (modes.size === 0 && options.flag(mode) === true);
  const colourMode = COLOUR_MODES.find(has);
  const isDimmable =
    (options.flag("brightness") ?? false) || [...modes].some((mode) => mode !== "onoff" && mode !== "unknown");
  return [
    ...on(options),
    ...(isDimmable ? level(options) : []),
    ...(colourMode ? colour(options, colourMode) : []),
    ...(has("color_temp") ? temperature(options) : []),
    ...effect(options),
  ];
};

/** Switches it on with this beside, since a light takes nothing else. */
function command(options: EntityOptions, more: (value: Value) => Said): PartBinding["set"] {
  return commandOf(options, { topic: "command_topic" }, (value) => ({
    value: JSON.stringify({ state: "ON", ...more(value) }),
  }));
}

function stateAt(options: EntityOptions, read: (said: Said) => Value | undefined): PartBinding["state"] {
  return stateBy(options, "state_topic", ({ object }: Payload) => object && read(object));
}

function on(options: EntityOptions): readonly Part[] {
  const state = stateAt(options, ({ state: said }) =>
    said === "ON" ? true : said === "OFF" ? false : said === null ? null : undefined,
  );
  const set = command(options, (value) => (value === true ? {} : { state: "OFF" }));
  return standardPart("Switch", "on", { state, set });
}

function level(options: EntityOptions): readonly Part[] {
  const said = options.number("brightness_scale") ?? 255;
  const scale = said >= 1 ? said : 255;
  const convert = (told: number) => percentOfBrightness(told, scale);
  const state = stateAt(options, ({ state: said, brightness }) => (said === "OFF" ? 0 : numeric(brightness, convert)));
  const set = command(options, (value) => {
    const brightness = brightnessOf(value, scale);
    return brightness === 0 ? { state: "OFF" } : { brightness };
  });
  return levelPart(scale, { state, set });
}

function colour(options: EntityOptions, mode: ColourMode): readonly Part[] {
  const part = (name: "hue" | "saturation") =>
    stateAt(options, ({ color }) => {
      const read = isSaid(color) ? colourIn(color) : undefined;
      return read && tidy(read[name]);
    });
  const send = command(options, (value) => ({ color: isSaid(value) ? value : {} }));
  const set = send && ((of: HueAndSaturation, known: Parameters<typeof send>[1]) => send(written(of, mode), known));
  const coarse = mode === "xy" ? POINT_COARSENESS : 1;
  return colourParts({ hue: part("hue"), saturation: part("saturation"), set, coarse });
}

/** In whichever way a message says its colour: devices do not always use the one that they announce. */
function colourIn({ h, s, x, y, r, g, b }: Said): HueAndSaturation | undefined {
  if (isNumber(h) && isNumber(s)) return { hue: h, saturation: s };
  if (isNumber(r) && isNumber(g) && isNumber(b)) return hueAndSaturationOf(r, g, b);
  if (isNumber(x) && isNumber(y)) return hueAndSaturationOfXy(x, y);
  return undefined;
}

function written(colour: HueAndSaturation, mode: ColourMode): Readonly<Record<string, number>> {
  if (mode === "hs") return { h: tidy(colour.hue), s: tidy(colour.saturation) };
  if (mode === "xy") return { ...colourPointOf(colour) };
  const { red: r, green: g, blue: b } = redGreenBlue(colour);
  if (mode === "rgb") return { r, g, b };
  return mode === "rgbw" ? { r, g, b, w: 0 } : { r, g, b, c: 0, w: 0 };
}

function temperature(options: EntityOptions): readonly Part[] {
  const of = colourTemperatureOf(options);
  const state = stateAt(options, ({ color_temp }) => numeric(color_temp, of.toKelvin));
  const set = command(options, (value) => ({ color_temp: of.ofKelvin(Number(value)) }));
  return temperaturePart(of, { state, set });
}

function effect(options: EntityOptions): readonly Part[] {
  const values = options.words("effect_list");
  if (values.length === 0 || options.flag("effect") === false) return [];
  const known = new Set<unknown>(values);
  const state = stateAt(options, ({ effect: said }) =>
    typeof said === "string" && known.has(said) ? said : said === null ? null : undefined,
  );
  const set = command(options, (value) => ({ effect: value }));
  return customPart(options.partName("effect"), "string", { state, set }, { values });
}

function numeric(told: unknown, convert: (told: number) => number): Value | undefined {
  if (told === null) return null;
  return isNumber(told) ? tidy(convert(told)) : undefined;
}

function isNumber(told: unknown): told is number {
  return typeof told === "number" && Number.isFinite(told);
}

function isSaid(told: unknown): told is Said {
  return typeof told === "object" && told !== null && !Array.isArray(told);
}
