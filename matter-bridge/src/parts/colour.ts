/** Converts hue and saturation to a CIE 1931 point and back, because some controllers support only one of them. Pure. */

export interface HueSaturation {
  /** Degrees. */
  readonly hue: number;
  /** Percent. */
  readonly saturation: number;
}

export interface Chromaticity {
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
