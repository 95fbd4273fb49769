/** A hue and a saturation as a point of the CIE 1931 diagram, by the matrix and the transfer function of sRGB (IEC 61966-2-1). */
import { type HueAndSaturation, rgbOf } from "@porchlight/driver-kit";
import { tidy } from "../../entities/values.ts";

export interface ColourPoint {
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
