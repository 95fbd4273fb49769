/** What the three schemas of lights have in common: levels, colours and colour temperatures in the units of both sides. */
import {
  type HueAndSaturation,
  levelOf,
  percentOf,
  type Read,
  readMired,
  readNumber,
  readPercent,
  readShare,
  reciprocalMegakelvin,
  rgbOf,
} from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { EntityOptions } from "../../entities/entity-options.ts";
import { type KnownPart, type Part, type PartBinding, standardPart } from "../../entities/parts.ts";
import { asNumber, tidy } from "../../entities/values.ts";

/** Steps of the device in its full brightness. */
export function levelPart(scale: number, binding: PartBinding): Part[] {
  return standardPart("LightLevel", "level", { ...binding, tolerance: percentOf(0.5, scale) });
}

/** Percent as the device's brightness, and the other way. */
export function brightnessOf(value: Value, scale: number): number {
  return levelOf(Number(value), scale);
}

/** `null` where it is no brightness of the scale, such as 65535 of 255. */
export function percentOfBrightness(brightness: unknown, scale: number): number | null {
  const percent = readPercent(brightness, scale);
  return typeof percent === "number" ? tidy(percent) : null;
}

/**
 * The level of a light that says its state and its brightness in one message. That it is off says that its level is 0; when it is on again
 * and does not say its brightness, the level is not known.
 * @param brightness undefined: the message says nothing of it
 */
export function lightLevelOf(
  isOn: Value | undefined,
  brightness: Read<number>,
  known: KnownPart | undefined,
): Read<number> {
  if (isOn === false) return 0;
  if (brightness !== undefined || isOn === undefined) return brightness;
  return known?.("LightLevel", "level") === 0 ? null : undefined;
}

/** `null` where it is no colour. @param most of each part, such as 255 */
export function readColour(
  parts: readonly unknown[],
  most: readonly number[],
  of: (...parts: number[]) => HueAndSaturation | null,
): HueAndSaturation | null {
  const numbers = parts.map((part, at) => readShare(readNumber(part), 0, most[at] ?? 0));
  return numbers.every((number) => typeof number === "number") ? of(...numbers) : null;
}

/** How finely a light tells hues, degrees, and saturations, %, apart when it has them as whole numbers of that many steps. */
const HUE_TOLERANCE = 1.5;
const SATURATION_TOLERANCE = 1;

/** Of a light that keeps points of the CIE diagram, and only those that it can show. */
export const POINT_COARSENESS = 3;

export interface ColourBinding {
  readonly hue?: PartBinding["state"] | undefined;
  readonly saturation?: PartBinding["state"] | undefined;
  readonly set?:
    | ((colour: HueAndSaturation, known: KnownPart) => ReturnType<NonNullable<PartBinding["set"]>>)
    | undefined;
  /** How much coarser it keeps them than whole degrees and percents. */
  readonly coarse?: number | undefined;
}

/** Hue and saturation, each of which is set with the other as it was last heard. */
export function colourParts({ hue, saturation, set, coarse = 1 }: ColourBinding): Part[] {
  const last = (known: KnownPart, property: string, otherwise: number) =>
    asNumber(known("LightColor", property)) ?? otherwise;
  const setHue: PartBinding["set"] = set
    ? (value, known) => set({ hue: Number(value), saturation: last(known, "saturation", 100) }, known)
    : undefined;
  const setSaturation: PartBinding["set"] = set
    ? (value, known) => set({ hue: last(known, "hue", 0), saturation: Number(value) }, known)
    : undefined;
  return [
    ...standardPart("LightColor", "hue", { state: hue, set: setHue, tolerance: HUE_TOLERANCE * coarse }),
    ...standardPart("LightColor", "saturation", {
      state: saturation,
      set: setSaturation,
      tolerance: SATURATION_TOLERANCE * coarse,
    }),
  ];
}

export interface ColourTemperature {
  /** `null` where it is no colour temperature. */
  readonly toKelvin: (told: unknown) => number | null;
  readonly ofKelvin: (kelvin: number) => number;
  readonly min: number;
  readonly max: number;
  readonly tolerance: number;
}

/** In which unit and range a light has its colour temperature; its bounds may be said in either unit. */
export function colourTemperatureOf(options: EntityOptions): ColourTemperature {
  const isKelvin = options.flag("color_temp_kelvin") ?? false;
  const bound = (kelvin: string, mireds: string, otherwise: number) => {
    const told = options.number(mireds);
    return options.number(kelvin) ?? (told !== undefined && told > 0 ? reciprocalMegakelvin(told) : otherwise);
  };
  const [low, high] = [bound("min_kelvin", "max_mireds", 2000), bound("max_kelvin", "min_mireds", 6535)];
  const [min, max] = [Math.max(1000, Math.round(low)), Math.min(10_000, Math.round(high))];
  const range = min <= max ? { min, max } : { min: 1000, max: 10_000 };
  const toKelvin = (told: unknown) => (isKelvin ? readKelvin(told) : readMired(told)) ?? null;
  // One step of mireds at the upper end, where a step is most kelvins.
  const tolerance = isKelvin ? 1 : Math.ceil(range.max ** 2 / 1_000_000);
  return { toKelvin, ofKelvin: isKelvin ? Math.round : reciprocalMegakelvin, ...range, tolerance };
}

function readKelvin(told: unknown): Read<number> {
  const kelvin = readNumber(told);
  return readShare(typeof kelvin === "number" ? Math.round(kelvin) : kelvin, 1000, 10_000);
}

export function temperaturePart({ min, max, tolerance }: ColourTemperature, binding: PartBinding): Part[] {
  return standardPart("LightTemperature", "kelvin", { ...binding, tolerance }, { min, max });
}

/** A colour at full brightness, as the names that templates and JSON have for its parts. */
export function redGreenBlue(colour: HueAndSaturation): { red: number; green: number; blue: number } {
  const [red, green, blue] = rgbOf(colour);
  return { red, green, blue };
}
