/** Shared by the three schemas of lights: levels, colours and colour temperatures in the units of both sides. */
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
import { asNumber, tidy } from "../entity-bindings.ts";
import type { EntityOptions } from "../entity-options.ts";
import { type KnownPart, type Part, type PartBinding, standardPart } from "../entity-parts.ts";

/** The level property of a light. @param scale number of the device's steps at full brightness */
export function levelPart(scale: number, binding: PartBinding): Part[] {
  return standardPart("LightLevel", "level", { ...binding, tolerance: percentOf(0.5, scale) });
}

/** Converts percent to the device's brightness. */
export function brightnessOf(value: Value, scale: number): number {
  return levelOf(Number(value), scale);
}

/** `null` where the number is no brightness of the scale, such as 65535 of 255. */
export function percentOfBrightness(brightness: unknown, scale: number): number | null {
  const percent = readPercent(brightness, scale);
  return typeof percent === "number" ? tidy(percent) : null;
}

/**
 * The level of a light that reports state and brightness in one message. A light that is off has level 0; when it is on again without a
 * reported brightness, the level is not known.
 * @param brightness undefined: the message does not contain it
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

/** `null` where the numbers are no colour. @param most maximum of each component, such as 255 */
export function readColour(
  parts: readonly unknown[],
  most: readonly number[],
  of: (...parts: number[]) => HueAndSaturation | null,
): HueAndSaturation | null {
  const numbers = parts.map((part, at) => readShare(readNumber(part), 0, most[at] ?? 0));
  return numbers.every((number) => typeof number === "number") ? of(...numbers) : null;
}

/** Tolerances of hue, degrees, and saturation, %, for a light that stores whole numbers. */
const HUE_TOLERANCE = 1.5;
const SATURATION_TOLERANCE = 1;

/** `coarse` of a light that stores points of the CIE diagram, and only those that it can show. */
export const POINT_COARSENESS = 3;

export interface ColourBinding {
  readonly hue?: PartBinding["state"] | undefined;
  readonly saturation?: PartBinding["state"] | undefined;
  readonly set?:
    | ((colour: HueAndSaturation, known: KnownPart) => ReturnType<NonNullable<PartBinding["set"]>>)
    | undefined;
  /** Factor by which the light's resolution is coarser than whole degrees and percents. */
  readonly coarse?: number | undefined;
}

/** Hue and saturation; setting one of them also sends the last received value of the other. */
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
  /** `null` where the number is no colour temperature. */
  readonly toKelvin: (reported: unknown) => number | null;
  readonly ofKelvin: (kelvin: number) => number;
  readonly min: number;
  readonly max: number;
  readonly tolerance: number;
}

/** The unit and range of a light's colour temperature; its limits may be given in either unit. */
export function colourTemperatureOf(options: EntityOptions): ColourTemperature {
  const isKelvin = options.flag("color_temp_kelvin") ?? false;
  const bound = (kelvin: string, mireds: string, otherwise: number) => {
    const reported = options.number(mireds);
    return (
      options.number(kelvin) ?? (reported !== undefined && reported > 0 ? reciprocalMegakelvin(reported) : otherwise)
    );
  };
  const [low, high] = [bound("min_kelvin", "max_mireds", 2000), bound("max_kelvin", "min_mireds", 6535)];
  const [min, max] = [Math.max(1000, Math.round(low)), Math.min(10_000, Math.round(high))];
  const range = min <= max ? { min, max } : { min: 1000, max: 10_000 };
  const toKelvin = (reported: unknown) => (isKelvin ? readKelvin(reported) : readMired(reported)) ?? null;
  // One mired at the upper end of the range, where it is the most kelvin.
  const tolerance = isKelvin ? 1 : Math.ceil(range.max ** 2 / 1_000_000);
  return { toKelvin, ofKelvin: isKelvin ? Math.round : reciprocalMegakelvin, ...range, tolerance };
}

function readKelvin(reported: unknown): Read<number> {
  const kelvin = readNumber(reported);
  return readShare(typeof kelvin === "number" ? Math.round(kelvin) : kelvin, 1000, 10_000);
}

export function temperaturePart({ min, max, tolerance }: ColourTemperature, binding: PartBinding): Part[] {
  return standardPart("LightTemperature", "kelvin", { ...binding, tolerance }, { min, max });
}

/** A colour at full brightness, with the names that templates and JSON use for its components. */
export function redGreenBlue(colour: HueAndSaturation): { red: number; green: number; blue: number } {
  const [red, green, blue] = rgbOf(colour);
  return { red, green, blue };
}
