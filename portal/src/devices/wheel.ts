/** The geometry of a colour wheel: hue runs clockwise from the top, saturation from the centre to the rim. */
import { snapped, type WheelRanges } from "./control-of.ts";

export interface Colour {
  /** In degrees. */
  readonly hue: number;
  /** In percent. */
  readonly saturation: number;
}

/** A point on a disc of radius 1: x to the right, y down. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** Within this radius the direction is too inexact to set a hue. */
const MIDDLE = 0.03;

export function placeOf({ hue, saturation }: Colour): Place {
  const angle = (hue * Math.PI) / 180;
  const radius = Math.min(100, Math.max(0, saturation)) / 100;
  return { x: Math.sin(angle) * radius, y: -Math.cos(angle) * radius };
}

/**
 * The colour at a point; points outside the disc have the colour of the rim.
 * @param hue is kept near the centre, where every hue is white
 */
export function colourAt({ x, y }: Place, hue: number, ranges: WheelRanges): Colour {
  const radius = Math.min(1, Math.hypot(x, y));
  const turned = ((Math.atan2(x, -y) * 180) / Math.PI + 360) % 360;
  return within({ hue: radius < MIDDLE ? hue : turned, saturation: radius * 100 }, ranges);
}

/**
 * The colour after a key press: left and right change the hue, up and down the saturation; Shift moves ten steps. Undefined for other keys.
 */
export function afterKey(key: string, isShift: boolean, from: Colour, ranges: WheelRanges): Colour | undefined {
  const far = isShift ? 10 : 1;
  const round = Math.max(1, ranges.hue.step) * far;
  const out = Math.max(1, ranges.saturation.step) * far;
  const { hue, saturation } = from;
  const to = (change: Partial<Colour>) => within({ hue, saturation, ...change }, ranges);
  switch (key) {
    case "ArrowRight":
      return to({ hue: (hue + round) % 360 });
    case "ArrowLeft":
      return to({ hue: (hue - round + 360) % 360 });
    case "ArrowUp":
      return to({ saturation: saturation + out });
    case "ArrowDown":
      return to({ saturation: saturation - out });
    case "PageUp":
      return to({ hue: (hue + 30) % 360 });
    case "PageDown":
      return to({ hue: (hue + 330) % 360 });
    case "Home":
      return to({ saturation: 0 });
    case "End":
      return to({ saturation: 100 });
    default:
      return undefined;
  }
}

function within({ hue, saturation }: Colour, ranges: WheelRanges): Colour {
  return { hue: snapped(hue, ranges.hue), saturation: snapped(saturation, ranges.saturation) };
}

const WORDS = [
  "red",
  "orange",
  "yellow",
  "lime",
  "green",
  "mint",
  "cyan",
  "azure",
  "blue",
  "violet",
  "magenta",
  "rose",
];

/** The name of a colour: "pale blue". */
export function colourWord({ hue, saturation }: Colour): string {
  if (saturation < 8) return "white";
  const word = WORDS[Math.round((((hue % 360) + 360) % 360) / 30) % WORDS.length] ?? "";
  return saturation < 45 ? `pale ${word}` : word;
}

/** The light colour of this hue and saturation, at full brightness. */
export function cssColour({ hue, saturation }: Colour): string {
  return `hsl(${hue} 100% ${100 - saturation / 2}%)`;
}
