/** Lights of the JSON schema: state and commands have fixed members of one object. */
import {
  type HueAndSaturation,
  hueAndSaturationOf,
  hueAndSaturationOfXy,
  isNoValue,
  type Read,
  readEither,
  rgbOf,
} from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { Payload } from "../../device/payload.ts";
import { commandOf, oneOf, stateBy, tidy } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, type KnownPart, type Part, type PartBinding, standardPart } from "../entity-parts.ts";
import {
  brightnessOf,
  colourParts,
  colourTemperatureOf,
  levelPart,
  lightLevelOf,
  POINT_COARSENESS,
  percentOfBrightness,
  readColour,
  redGreenBlue,
  temperaturePart,
} from "./light-parts.ts";

type Stated = Readonly<Record<string, unknown>>;

const COLOUR_MODES = ["hs", "xy", "rgb", "rgbw", "rgbww"] as const;
type ColourMode = (typeof COLOUR_MODES)[number];

export const jsonLight: Component = (options) => {
  const modes = new Set(options.words("supported_color_modes"));
  // Before colour modes existed, each mode had an option of its own.
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

/** Switches the light on and sets these members too, since a light accepts no command without a state. */
function command(options: EntityOptions, more: (value: Value) => Stated): PartBinding["set"] {
  return commandOf(options, { topic: "command_topic" }, (value) => ({
    value: JSON.stringify({ state: "ON", ...more(value) }),
  }));
}

function stateAt(
  options: EntityOptions,
  member: string,
  read: (stated: Stated, known?: KnownPart) => Value | undefined,
): PartBinding["state"] {
  const readPayload = ({ object, text }: Payload, known?: KnownPart) =>
    object ? read(object, known) : isNoValue(text) ? null : undefined;
  return stateBy(options, "state_topic", readPayload, ({ object }) => object?.[member]);
}

function isOn({ state }: Stated): Read<boolean> {
  return readEither(state, ["ON"], ["OFF"]);
}

function on(options: EntityOptions): readonly Part[] {
  const state = stateAt(options, "state", isOn);
  const set = command(options, (value) => (value === true ? {} : { state: "OFF" }));
  return standardPart("Switch", "on", { state, set });
}

function level(options: EntityOptions): readonly Part[] {
  const stated = options.number("brightness_scale") ?? 255;
  const scale = stated >= 1 ? stated : 255;
  const state = stateAt(options, "brightness", (message, known) => {
    const { brightness } = message;
    return lightLevelOf(
      isOn(message),
      brightness === undefined ? undefined : percentOfBrightness(brightness, scale),
      known,
    );
  });
  const set = command(options, (value) => {
    const brightness = brightnessOf(value, scale);
    return brightness === 0 ? { state: "OFF" } : { brightness };
  });
  return levelPart(scale, { state, set });
}

function colour(options: EntityOptions, mode: ColourMode): readonly Part[] {
  const part = (name: "hue" | "saturation") =>
    stateAt(options, "color", (message) => {
      const { color } = message;
      if (isOfOtherMode(message, "colour")) return null;
      if (color === undefined) return undefined;
      const read = isStated(color) ? colourIn(color) : null;
      return read && tidy(read[name]);
    });
  const send = command(options, (value) => ({ color: isStated(value) ? value : {} }));
  const set = send && ((of: HueAndSaturation, known: Parameters<typeof send>[1]) => send(written(of, mode), known));
  const coarse = mode === "xy" ? POINT_COARSENESS : 1;
  return colourParts({ hue: part("hue"), saturation: part("saturation"), set, coarse });
}

/** Reads a colour in any of its forms: devices do not always use the form that they announce. */
function colourIn({ h, s, x, y, r, g, b }: Stated): HueAndSaturation | null {
  return (
    readColour([h, s], [360, 100], (hue = 0, saturation = 0) => ({ hue, saturation })) ??
    readColour([r, g, b], [255, 255, 255], (red = 0, green = 0, blue = 0) => hueAndSaturationOf(red, green, blue)) ??
    readColour([x, y], [1, 1], (atX = 0, atY = 0) => hueAndSaturationOfXy(atX, atY))
  );
}

/**
 * Whether a message reports that the light does not show `what`: by its colour mode, otherwise because it contains only the other of
 * colour and temperature.
 */
function isOfOtherMode({ color_mode, color, color_temp }: Stated, what: "colour" | "temperature"): boolean {
  if (color_mode !== undefined) {
    const isColour = typeof color_mode === "string" && COLOUR_MODES.some((mode) => mode === color_mode);
    return what === "colour" ? !isColour : color_mode !== "color_temp";
  }
  const [own, other] = what === "colour" ? [color, color_temp] : [color_temp, color];
  return own === undefined && other !== undefined && other !== null;
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
  const state = stateAt(options, "color_temp", (message) => {
    if (isOfOtherMode(message, "temperature")) return null;
    return message.color_temp === undefined ? undefined : of.toKelvin(message.color_temp);
  });
  const set = command(options, (value) => ({ color_temp: of.ofKelvin(Number(value)) }));
  return temperaturePart(of, { state, set });
}

function effect(options: EntityOptions): readonly Part[] {
  const values = options.words("effect_list");
  if (values.length === 0 || options.flag("effect") === false) return [];
  const words = oneOf(values);
  const state = stateAt(options, "effect", ({ effect: stated }) =>
    stated === undefined ? undefined : typeof stated === "string" ? words(stated) : null,
  );
  const set = command(options, (value) => ({ effect: value }));
  return customPart(options.partName("effect"), "string", { state, set }, { values });
}

function isStated(reported: unknown): reported is Stated {
  return typeof reported === "object" && reported !== null && !Array.isArray(reported);
}

/** A hue and a saturation as a point of the CIE 1931 diagram, by the matrix and the transfer function of sRGB (IEC 61966-2-1). */
interface ColourPoint {
  readonly x: number;
  readonly y: number;
}

export function colourPointOf(colour: HueAndSaturation): ColourPoint {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour).map((part) => linear(part / 255));
  const bigX = 0.4124 * red + 0.3576 * green + 0.1805 * blue;
  const bigY = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const sum = bigX + bigY + 0.0193 * red + 0.1192 * green + 0.9505 * blue;
  return { x: rounded(bigX / sum), y: rounded(bigY / sum) };
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function rounded(part: number): number {
  return tidy(Math.round(part * 10_000) / 10_000);
}
