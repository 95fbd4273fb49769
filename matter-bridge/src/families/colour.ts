/** `LightColor` and `LightTemperature` as the cluster ColorControl: hue and saturation, the same colour as a CIE point, and mireds. */
import type { DescribedProperty } from "@porchlight/shared/model";
import { chromaticityOf, hueSaturationOf } from "../parts/colour.ts";
import type { Asked, Attributes, ShownCluster, Values, Write } from "../parts/part.ts";
import { bounded, FULL, fitted, kelvinOf, miredsOf, numberOf, whole } from "../parts/units.ts";
import { actsWhenOff, isOn, onlyNull, onlyWhenOn, type Turned } from "./level.ts";

const CIRCLE = 360;
const UNIT = 65_536;
/** Largest value of a CIE coordinate. */
const MOST = 0xfeff;
const MODE = { hueSaturation: 0, mireds: 2 };
const STEP_UP = 1;

export interface Coloured extends Turned {
  readonly colour?: { readonly hue: DescribedProperty; readonly saturation: DescribedProperty } | undefined;
  readonly kelvin?: DescribedProperty | undefined;
}

type Colour = NonNullable<Coloured["colour"]>;

export function colourCluster(lamp: Coloured): ShownCluster {
  const { colour, kelvin } = lamp;
  /** Ignores a command while the lamp is off, unless its options permit it. */
  const whenOn = (ask: (fields: Attributes, values: Values) => Asked) => (fields: Attributes, values: Values) =>
    isOn(lamp, values) || actsWhenOff(fields) ? ask(fields, values) : [];
  return {
    cluster: "colorControl",
    features: [...(colour ? ["HueSaturation", "Xy"] : []), ...(kelvin ? ["ColorTemperature"] : [])],
    attributes: (values) => {
      const mode = modeOf(lamp, values);
      const colorCapabilities = { hueSaturation: !!colour, xy: !!colour, colorTemperature: !!kelvin };
      const colours = {
        ...(colour && colourAttributes(colour, values)),
        ...(kelvin && miredsAttributes(kelvin, values)),
      };
      return { colorMode: mode, enhancedColorMode: mode, colorCapabilities, ...colours };
    },
    commands: {
      ...(colour && each(colourCommands(colour), whenOn)),
      ...(kelvin && each(miredsCommands(kelvin), whenOn)),
      stopMoveStep: () => [],
    },
    writes: { options: onlyWhenOn, ...(kelvin && { startUpColorTemperatureMireds: onlyNull }) },
  };
}

type Commands = NonNullable<ShownCluster["commands"]>;

function each(commands: Commands, change: (ask: Commands[string]) => Commands[string]): Commands {
  return Object.fromEntries(Object.entries(commands).map(([name, ask]) => [name, change(ask)]));
}

/** The property that changed last determines the colour mode. */
function modeOf({ colour, kelvin }: Coloured, values: Values): number {
  if (!colour || !kelvin) return colour ? MODE.hueSaturation : MODE.mireds;
  const coloured = Math.max(values.changedAt(colour.hue.key), values.changedAt(colour.saturation.key));
  return values.changedAt(kelvin.key) > coloured ? MODE.mireds : MODE.hueSaturation;
}

function colourAttributes({ hue, saturation }: Colour, values: Values): Attributes {
  const now = { hue: numberOf(values, hue) ?? 0, saturation: numberOf(values, saturation) ?? 0 };
  const { x, y } = chromaticityOf(now);
  return {
    currentHue: bounded(Math.round((now.hue / CIRCLE) * FULL), 0, FULL),
    currentSaturation: bounded(Math.round((now.saturation / 100) * FULL), 0, FULL),
    currentX: bounded(Math.round(x * UNIT), 0, MOST),
    currentY: bounded(Math.round(y * UNIT), 0, MOST),
  };
}

function miredsAttributes(kelvin: DescribedProperty, values: Values): Attributes {
  const { min, max } = miredsRange(kelvin);
  const now = numberOf(values, kelvin);
  return {
    colorTemperatureMireds: whole(now === undefined ? min : miredsOf(now), min, max),
    colorTempPhysicalMinMireds: min,
    colorTempPhysicalMaxMireds: max,
    coupleColorTempToLevelMinMireds: min,
  };
}

function colourCommands(colour: Colour): Commands {
  const moves = ({ moveMode }: Attributes): Asked => (moveMode === 0 ? [] : { refused: "unsupported" });
  const part = (now: number | null | undefined, { stepMode, stepSize }: Attributes) =>
    (now ?? 0) + number(stepSize) * (stepMode === STEP_UP ? 1 : -1);
  return {
    moveToHue: ({ hue }) => [hueWrite(colour, number(hue))],
    moveToSaturation: ({ saturation }) => [saturationWrite(colour, number(saturation))],
    moveToHueAndSaturation: ({ hue, saturation }) => [
      hueWrite(colour, number(hue)),
      saturationWrite(colour, number(saturation)),
    ],
    moveToColor: ({ colorX, colorY }) => {
      const { hue, saturation } = hueSaturationOf({ x: number(colorX) / UNIT, y: number(colorY) / UNIT });
      return [write(colour.hue, hue), write(colour.saturation, saturation)];
    },
    stepHue: (fields, values) => {
      const now = number(colourAttributes(colour, values).currentHue);
      return [hueWrite(colour, (part(now, fields) + FULL + 1) % (FULL + 1))];
    },
    stepSaturation: (fields, values) => {
      const now = number(colourAttributes(colour, values).currentSaturation);
      return [saturationWrite(colour, bounded(part(now, fields), 0, FULL))];
    },
    stepColor: ({ stepX, stepY }, values) => {
      const { currentX, currentY } = colourAttributes(colour, values);
      const [x, y] = [number(currentX) + number(stepX), number(currentY) + number(stepY)];
      const { hue, saturation } = hueSaturationOf({ x: x / UNIT, y: y / UNIT });
      return [write(colour.hue, hue), write(colour.saturation, saturation)];
    },
    // The hub has no operation that runs until it is stopped.
    moveHue: moves,
    moveSaturation: moves,
    moveColor: ({ rateX, rateY }) => (rateX === 0 && rateY === 0 ? [] : { refused: "unsupported" }),
  };
}

function miredsCommands(kelvin: DescribedProperty): Commands {
  const { min, max } = miredsRange(kelvin);
  const to = (mireds: number) => [write(kelvin, kelvinOf(bounded(mireds, min, max)))];
  return {
    moveToColorTemperature: ({ colorTemperatureMireds }) => to(number(colorTemperatureMireds)),
    stepColorTemperature: ({ stepMode, stepSize }, values) => {
      const now = number(miredsAttributes(kelvin, values).colorTemperatureMireds);
      return to(now + number(stepSize) * (stepMode === STEP_UP ? 1 : -1));
    },
    moveColorTemperature: ({ moveMode }) => (moveMode === 0 ? [] : { refused: "unsupported" }),
  };
}

function miredsRange({ description: { min = 1000, max = 10_000 } }: DescribedProperty) {
  return { min: miredsOf(Math.max(max, 1)), max: Math.min(miredsOf(Math.max(min, 16)), MOST) };
}

function hueWrite({ hue }: Colour, of254: number): Write {
  return write(hue, (of254 / FULL) * CIRCLE);
}

function saturationWrite({ saturation }: Colour, of254: number): Write {
  return write(saturation, (of254 / FULL) * 100);
}

function write(property: DescribedProperty, value: number): Write {
  return { key: property.key, value: fitted(Math.round(value * 10) / 10, property) };
}

function number(field: unknown): number {
  return typeof field === "number" ? field : 0;
}
