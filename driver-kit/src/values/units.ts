/** Conversions of units that several kinds of device share. Pure. */

/** A level of 0 to `full` as a percentage. */
export function percentOf(level: number, full: number): number {
  return (level * 100) / full;
}

/** A percentage as a whole level of 0 to `full`. A device that is not quite off is not off: above 0 % the level is at least 1. */
export function levelOf(percent: number, full: number): number {
  const level = Math.round((percent * full) / 100);
  return percent > 0 ? Math.max(1, level) : level;
}

/** Converts mired (micro reciprocal degrees) to kelvin, and kelvin to mired: the formula is the same. */
export function reciprocalMegakelvin(value: number): number {
  return Math.round(1_000_000 / value);
}

export function celsiusOf(fahrenheit: number): number {
  return ((fahrenheit - 32) * 5) / 9;
}

export function fahrenheitOf(celsius: number): number {
  return (celsius * 9) / 5 + 32;
}

/** Converts how far a cover is open to how far it is closed, %, and back. */
export function turnedRound(percent: number): number {
  return 100 - percent;
}

export interface HueAndSaturation {
  /** 0 to 360 degrees. */
  readonly hue: number;
  /** 0 to 100 %. */
  readonly saturation: number;
}

/** Red, green and blue of 0 to 255 as a hue and a saturation (HSV). */
export function hueAndSaturationOf(red: number, green: number, blue: number): HueAndSaturation {
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue);
  if (span === 0) return { hue: 0, saturation: 0 };
  const saturation = (span / most) * 100;
  if (most === red) return { hue: (60 * ((green - blue) / span) + 360) % 360, saturation };
  if (most === green) return { hue: 60 * ((blue - red) / span + 2), saturation };
  return { hue: 60 * ((red - green) / span + 4), saturation };
}

/** A hue and a saturation at full value (HSV) as red, green and blue of 0 to 255. */
export function rgbOf(colour: HueAndSaturation): readonly [number, number, number] {
  const [red, green, blue] = exactRgbOf(colour);
  return [Math.round(255 * red), Math.round(255 * green), Math.round(255 * blue)];
}

/** Components of 0 to 1. */
function exactRgbOf({ hue, saturation }: HueAndSaturation): readonly [number, number, number] {
  const part = (offset: number) => {
    const place = (offset + hue / 60) % 6;
    const share = Math.max(0, Math.min(place, 4 - place, 1));
    return 1 - (saturation / 100) * share;
  };
  return [part(5), part(3), part(1)];
}

/**
 * A point of the CIE 1931 diagram as a hue and a saturation of sRGB, by the inverse matrix of IEC 61966-2-1 and its transfer function.
 * Points outside sRGB's triangle are moved to its edge. `null` for an invalid point: devices send 0, 0 when they know no colour.
 */
export function hueAndSaturationOfXy(x: number, y: number): HueAndSaturation | null {
  if (y <= 0) return null;
  const [bigX, bigZ] = [x / y, (1 - x - y) / y];
  const linear = [
    3.2406 * bigX - 1.5372 - 0.4986 * bigZ,
    -0.9689 * bigX + 1.8758 + 0.0415 * bigZ,
    0.0557 * bigX - 0.204 + 1.057 * bigZ,
  ].map((part) => Math.max(0, part));
  const most = Math.max(...linear);
  const [red = 0, green = 0, blue = 0] = linear.map((part) => 255 * companded(part / most));
  return hueAndSaturationOf(red, green, blue);
}

/** A hue and a saturation of sRGB at full value (HSV) as a point of the CIE 1931 diagram: the inverse of `hueAndSaturationOfXy`. */
export function xyOf(colour: HueAndSaturation): readonly [number, number] {
  const [red = 0, green = 0, blue = 0] = exactRgbOf(colour).map(linearised);
  const x = 0.4124 * red + 0.3576 * green + 0.1805 * blue;
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const z = 0.0193 * red + 0.1192 * green + 0.9505 * blue;
  const sum = x + y + z;
  return [x / sum, y / sum];
}

function linearised(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function companded(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}
