/**
 * Converts values between the hub's and Matter's units, within the limits of the attributes, and colours between hue and saturation and a
 * CIE 1931 point. Pure.
 */
import type { DescribedProperty } from "@porchlight/shared/model";
import type { Values } from "./part.ts";

/** Matter's full level. */
export const FULL = 254;

/** Value of a numeric property; undefined while there is none. */
export function numberOf(values: Values, property: DescribedProperty | undefined): number | undefined {
  const value = property && values.value(property.key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Whether a property is true; false while it is unknown, because Matter has no value for unknown here. */
export function isTrue(values: Values, property: DescribedProperty | undefined): boolean {
  return property !== undefined && values.value(property.key) === true;
}

export function bounded(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Rounds to a whole number within limits; `null`, Matter's unknown, for undefined. */
export function whole(value: number | undefined, least: number, most: number): number | null {
  return value === undefined ? null : bounded(Math.round(value), least, most);
}

/** Converts percent to 1 … 254; a lamp that is on has at least level 1. */
export function levelOf(percent: number, full = 100): number {
  return bounded(Math.round((percent / full) * FULL), 1, FULL);
}

/** Converts 0 … 254 to percent, rounded to a tenth, as a person would enter it. */
export function percentOf(level: number, full = 100): number {
  return Math.round((level / FULL) * full * 10) / 10;
}

export function miredsOf(kelvin: number): number {
  return Math.round(1_000_000 / kelvin);
}

export const kelvinOf = miredsOf;

/** Adjusts a number to the property: within its limits, on its step, whole for an integer. */
export function fitted(value: number, { description }: DescribedProperty): number {
  const { min = -Infinity, max = Infinity, step, type } = description;
  const from = Number.isFinite(min) ? min : 0;
  const stepped = step === undefined ? value : from + Math.round((value - from) / step) * step;
  const within = bounded(type === "integer" ? Math.round(stepped) : stepped, min, max);
  // Removes the rounding error of binary steps.
  return Number(within.toFixed(6));
}

/** Converts hue and saturation to a CIE 1931 point and back, because some controllers support only one of them. Pure. */

interface HueSaturation {
  /** Degrees. */
  readonly hue: number;
  /** Percent. */
  readonly saturation: number;
}

interface Chromaticity {
  readonly x: number;
  readonly y: number;
}

type Triple = readonly [number, number, number];

/** White point of D65, the colour without saturation. */
const WHITE: Chromaticity = { x: 0.3127, y: 0.329 };

export function chromaticityOf({ hue, saturation }: HueSaturation): Chromaticity {
  const [r, g, b] = rgbOf(hue, saturation / 100).map(linear);
  if (r === undefined || g === undefined || b === undefined) return WHITE;
  const x = 0.4124 * r + 0.3576 * g + 0.1805 * b;
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const z = 0.0193 * r + 0.1192 * g + 0.9505 * b;
  const sum = x + y + z;
  return sum === 0 ? WHITE : { x: x / sum, y: y / sum };
}

/** Maps a colour outside the RGB gamut to the nearest one inside it. */
export function hueSaturationOf({ x, y }: Chromaticity): HueSaturation {
  if (y <= 0) return { hue: 0, saturation: 0 };
  const [bigX, bigZ] = [x / y, (1 - x - y) / y];
  const lights = [
    3.2406 * bigX - 1.5372 - 0.4986 * bigZ,
    -0.9689 * bigX + 1.8758 + 0.0415 * bigZ,
    0.0557 * bigX - 0.204 + 1.057 * bigZ,
  ].map((light) => Math.max(0, light));
  const brightest = Math.max(...lights, Number.EPSILON);
  const [r = 0, g = 0, b = 0] = lights.map((light) => gamma(light / brightest));
  const spread = 1 - Math.min(r, g, b);
  return { hue: hueOf([r, g, b], spread), saturation: spread * 100 };
}

function hueOf([r, g, b]: Triple, spread: number): number {
  if (spread === 0) return 0;
  const brightest = Math.max(r, g, b);
  const sector = brightest === r ? (g - b) / spread : brightest === g ? 2 + (b - r) / spread : 4 + (r - g) / spread;
  return (sector * 60 + 360) % 360;
}

/** Red, green and blue of the hue at full brightness, 0 to 1. */
function rgbOf(hue: number, saturation: number): Triple {
  const share = (offset: number) => {
    const place = (offset + hue / 60) % 6;
    return 1 - saturation * Math.max(0, Math.min(place, 4 - place, 1));
  };
  return [share(5), share(3), share(1)];
}

function linear(light: number): number {
  return light <= 0.04045 ? light / 12.92 : ((light + 0.055) / 1.055) ** 2.4;
}

function gamma(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}
