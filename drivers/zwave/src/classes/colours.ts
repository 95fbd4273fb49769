/**
 * Colours of a lamp: red, green and blue as hue and saturation. Each other channel is its own property, because Z-Wave does not report
 * the colour temperature of white channels.
 */
import {
  type HueAndSaturation,
  hueAndSaturationOf,
  type Read,
  readNumber,
  readPercent,
  readShare,
  rgbOf,
} from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { NodeValue, RawOf, ValueId } from "../values/node-state.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  type ZwaveProperty,
} from "./zwave-property.ts";

/** `ColorComponent` of Z-Wave JS, by number, with the member of the whole colour. */
const WHITES: Readonly<Record<number, string>> = { 0: "warmWhite", 1: "coldWhite" };
const OTHERS: Readonly<Record<number, string>> = { 5: "amber", 6: "cyan", 7: "purple" };
const RGB = [2, 3, 4];
const FULL = 255;
/** One step of 255 in a channel, in degrees and in per cent. */
const HUE_TOLERANCE = 1;
const SATURATION_TOLERANCE = 0.5;

export function colourSwitch(given: ClassValues): Mapped {
  const rgb = RGB.flatMap((key) => namedValue(given, "currentColor", key) ?? []);
  const whole = namedValue(given, "targetColor");
  const whites = Object.keys(WHITES).filter((key) => namedValue(given, "currentColor", Number(key)));
  const colour = rgb.length === RGB.length ? colourProperties(given.endpoint, rgb, whole, whites) : [];
  const channels = Object.entries({ ...WHITES, ...OTHERS }).flatMap(([key, name]) => channel(given, Number(key), name));
  return { properties: [...colour, ...channels] };
}

function colourProperties(
  endpoint: number,
  rgb: readonly NodeValue[],
  whole: NodeValue | undefined,
  whites: readonly string[],
): ZwaveProperty[] {
  const of = rgb.map(({ id }) => id);
  const colourNow = (raw: RawOf): Read<HueAndSaturation> => {
    const [red, green, blue] = of.map((id) => readShare(readNumber(raw(id)), 0, FULL));
    if (typeof red === "number" && typeof green === "number" && typeof blue === "number")
      // A dark colour has no hue: the lamp shows white, or is off.
      return red + green + blue > 0 ? hueAndSaturationOf(red, green, blue) : null;
    return of.some((id) => raw(id) !== undefined) ? null : undefined;
  };
  // A lamp that shows white shows no colour until its white channels are off.
  const off = Object.fromEntries(whites.map((key) => [WHITES[Number(key)] ?? "", 0]));
  return (["hue", "saturation"] as const).flatMap((part) => {
    const set = (at: ValueId, value: Value, raw: RawOf) => {
      const before = colourNow(raw) ?? { hue: 0, saturation: 0 };
      // White has every hue, so setting a hue must also raise the saturation.
      const shown = part === "hue" && before.saturation === 0 ? { ...before, saturation: 100 } : before;
      const [red, green, blue] = rgbOf({ ...shown, [part]: Number(value) });
      const now = tenths(hueAndSaturationOf(red, green, blue)[part]);
      return { at, value: { ...off, red, green, blue }, now };
    };
    return classProperty(endpoint, "LightColor", part, {
      of,
      read: (raw) => {
        const colour = colourNow(raw);
        return colour && tenths(colour[part]);
      },
      set: whole && ((value, raw) => set(whole.id, value, raw)),
      tolerance: part === "hue" ? HUE_TOLERANCE : SATURATION_TOLERANCE,
    });
  });
}

/** `Channels`: brightness of each channel other than red, green and blue, %. */
function channel(given: ClassValues, key: number, property: string): ZwaveProperty[] {
  const current = namedValue(given, "currentColor", key);
  const target = namedValue(given, "targetColor", key);
  if (!current) return [];
  const description = { property, type: "number" as const, unit: "%", min: 0, max: 100 };
  return [
    ownProperty(given.endpoint, "Channels", description, {
      of: [current.id],
      read: (raw) => {
        const percent = readPercent(raw(current.id), FULL);
        return typeof percent === "number" ? tenths(percent) : percent;
      },
      set:
        target &&
        ((percent) => {
          const value = Math.round((Number(percent) * FULL) / 100);
          return { at: target.id, value, now: tenths((value * 100) / FULL) };
        }),
      tolerance: 0.2,
    }),
  ];
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
