/**
 * Lamps and plugs: the switch, level and colour of one index form one endpoint, with the clusters OnOff, LevelControl and ColorControl. The
 * hub has no transitions: a lamp changes at its own pace.
 */
import type { DescribedProperty } from "@porchlight/shared/model";
import {
  type Asked,
  type Attributes,
  DEVICE_TYPES,
  type DeviceType,
  type Part,
  type ShownCluster,
  type Unclaimed,
  type Values,
  type Write,
} from "../parts/part.ts";
import {
  bounded,
  chromaticityOf,
  FULL,
  fitted,
  hueSaturationOf,
  isTrue,
  kelvinOf,
  levelOf,
  miredsOf,
  numberOf,
  percentOf,
  whole,
} from "../parts/units.ts";

/** A device with only a switch becomes a plug, because the hub does not know the load of a relay. */
export function lights(unclaimed: Unclaimed): Part[] {
  const classes = ["Switch", "LightLevel", "LightColor", "LightTemperature"];
  const indexes = new Set(classes.flatMap((service) => unclaimed.indexes(service)));
  return [...indexes].flatMap((index) => lightOf(unclaimed, index) ?? []);
}

function lightOf(unclaimed: Unclaimed, index: string): Part | undefined {
  const on = unclaimed.settable("Switch", index, "on");
  const level = unclaimed.settable("LightLevel", index, "level");
  // Matter has no type for a lamp without a switch and a level.
  if (!on && !level) return undefined;
  const hue = unclaimed.settable("LightColor", index, "hue");
  const saturation = unclaimed.settable("LightColor", index, "saturation");
  // Matter requires a level for coloured lamps.
  const colour = level && hue && saturation ? { hue, saturation } : undefined;
  const kelvin = level && unclaimed.settable("LightTemperature", index, "kelvin");
  const startUp = on && unclaimed.look("Switch", index, "startUp");
  const lamp = { on, level, colour, kelvin, startUp };
  unclaimed.claim(on, level, hue, saturation, kelvin, startUp);
  return {
    key: `light:${index}`,
    type: typeOf(lamp),
    hasGroups: true,
    clusters: [
      onOffCluster(lamp),
      ...(level ? [levelCluster({ ...lamp, level })] : []),
      ...(colour || kelvin ? [colourCluster(lamp)] : []),
    ],
  };
}

function typeOf({ level, colour, kelvin }: Coloured): DeviceType {
  if (colour) return DEVICE_TYPES.colorLight;
  if (kelvin) return DEVICE_TYPES.temperatureLight;
  return level ? DEVICE_TYPES.dimmableLight : DEVICE_TYPES.onOffPlug;
}

const LEAST = 1;
const UP = 0;

type Lamp = Turned & { readonly level: DescribedProperty };

function levelCluster(lamp: Lamp): ShownCluster {
  const { level } = lamp;
  const to = (target: number, fields: Attributes, values: Values) => goTo(lamp, target, fields, values);
  const withOnOff = (target: number, values: Values) => goOnOrOff(lamp, target, values);
  return {
    cluster: "levelControl",
    features: ["OnOff", "Lighting"],
    attributes: (values) => ({ currentLevel: current(level, values) ?? null, minLevel: LEAST, maxLevel: FULL }),
    commands: {
      moveToLevel: (fields, values) => to(number(fields.level), fields, values),
      moveToLevelWithOnOff: (fields, values) => withOnOff(number(fields.level), values),
      move: (fields, values) => to(end(fields.moveMode), fields, values),
      moveWithOnOff: (fields, values) => withOnOff(end(fields.moveMode), values),
      step: (fields, values) => to(stepped(level, fields, values), fields, values),
      stepWithOnOff: (fields, values) => withOnOff(stepped(level, fields, values), values),
      stop: () => [],
      stopWithOnOff: () => [],
    },
    writes: { onLevel: onlyNull, startUpCurrentLevel: onlyNull, options: onlyWhenOn },
  };
}

/** Whether the options let a command act on a lamp that is off. */
function actsWhenOff({ optionsMask, optionsOverride }: Attributes): boolean {
  return isSet(optionsMask, "executeIfOff") && isSet(optionsOverride, "executeIfOff");
}

/** Rejects the option that lets every command act on a lamp that is off: each command must carry it. */
function onlyWhenOn(value: unknown): Asked {
  return isSet(value, "executeIfOff") ? { refused: "constraint" } : [];
}

function onlyNull(value: unknown): Asked {
  return value === null ? [] : { refused: "constraint" };
}

function goTo(lamp: Lamp, target: number, fields: Attributes, values: Values): Asked {
  if (!isOn(lamp, values) && !actsWhenOff(fields)) return [];
  return [write(lamp.level, bounded(target, LEAST, FULL))];
}

/** The lowest level turns the lamp off. */
function goOnOrOff(lamp: Lamp, target: number, values: Values): Asked {
  if (target <= LEAST) return turn(lamp, false, values);
  const set = write(lamp.level, bounded(target, LEAST, FULL));
  return lamp.on && !isOn(lamp, values) ? [set, ...turn(lamp, true, values)] : [set];
}

function write(level: DescribedProperty, target: number): Write {
  return { key: level.key, value: fitted(percentOf(target, fullOf(level)), level) };
}

function current(level: DescribedProperty, values: Values): number | undefined {
  const percent = numberOf(values, level);
  return percent === undefined ? undefined : levelOf(percent, fullOf(level));
}

function fullOf({ description: { max = 100 } }: DescribedProperty): number {
  return max > 0 ? max : 100;
}

function stepped(level: DescribedProperty, { stepMode, stepSize }: Attributes, values: Values): number {
  const by = number(stepSize) * (stepMode === UP ? 1 : -1);
  return (current(level, values) ?? LEAST) + by;
}

function end(mode: unknown): number {
  return mode === UP ? FULL : LEAST;
}

function number(field: unknown): number {
  return typeof field === "number" ? field : 0;
}

function isSet(bits: unknown, name: string): boolean {
  return typeof bits === "object" && bits !== null && Reflect.get(bits, name) === true;
}

/** Properties that turn a lamp or plug on: a switch, or a level. */
interface Turned {
  readonly on?: DescribedProperty | undefined;
  readonly level?: DescribedProperty | undefined;
  readonly startUp?: DescribedProperty | undefined;
}

/** Values of `Switch.startUp` in Matter's numbers; `previous` is null there. */
const START_UPS: Readonly<Record<string, number | null>> = { off: 0, on: 1, toggle: 2, previous: null };

function onOffCluster(turned: Turned): ShownCluster {
  const { startUp } = turned;
  const on = (_: Attributes, values: Values) => turn(turned, true, values);
  const off = (_: Attributes, values: Values) => turn(turned, false, values);
  return {
    cluster: "onOff",
    features: ["Lighting"],
    attributes: (values) => ({
      onOff: isOn(turned, values),
      startUpOnOff: (startUp && START_UPS[String(values.value(startUp.key))]) ?? null,
    }),
    commands: {
      on,
      off,
      toggle: (_, values) => turn(turned, !isOn(turned, values), values),
      // The effect describes only how the lamp turns off, and the lamp may choose.
      offWithEffect: off,
      onWithRecallGlobalScene: on,
      // The hub has no timer that turns the lamp off again.
      onWithTimedOff: () => ({ refused: "unsupported" }),
    },
    writes: {
      startUpOnOff: (value) => startUpAs(startUp, value),
      onTime: onlyNone,
      offWaitTime: onlyNone,
    },
  };
}

function isOn({ on, level }: Turned, values: Values): boolean {
  return on ? isTrue(values, on) : (numberOf(values, level) ?? 0) > 0;
}

/** Turns a lamp or plug on or off, by its switch or by its level. */
function turn({ on, level }: Turned, to: boolean, values: Values): readonly Write[] {
  if (on) return [{ key: on.key, value: to }];
  if (!level) return [];
  const { max = 100, min = 0 } = level.description;
  const isSo = (numberOf(values, level) ?? 0) > 0 === to;
  return isSo ? [] : [{ key: level.key, value: to ? max : min }];
}

function startUpAs(startUp: DescribedProperty | undefined, value: unknown): Asked {
  const [word] = Object.entries(START_UPS).find(([, code]) => code === value) ?? [];
  const isOffered = startUp?.writable && (startUp.description.values?.includes(word ?? "") ?? true);
  return startUp && isOffered && word ? [{ key: startUp.key, value: word }] : { refused: "constraint" };
}

function onlyNone(value: unknown): Asked {
  return value === 0 ? [] : { refused: "constraint" };
}

const CIRCLE = 360;
const UNIT = 65_536;
/** Largest value of a CIE coordinate. */
const MOST = 0xfeff;
const MODE = { hueSaturation: 0, mireds: 2 };
const STEP_UP = 1;

interface Coloured extends Turned {
  readonly colour?: { readonly hue: DescribedProperty; readonly saturation: DescribedProperty } | undefined;
  readonly kelvin?: DescribedProperty | undefined;
}

type Colour = NonNullable<Coloured["colour"]>;

function colourCluster(lamp: Coloured): ShownCluster {
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
      return [writeColour(colour.hue, hue), writeColour(colour.saturation, saturation)];
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
      return [writeColour(colour.hue, hue), writeColour(colour.saturation, saturation)];
    },
    // The hub has no operation that runs until it is stopped.
    moveHue: moves,
    moveSaturation: moves,
    moveColor: ({ rateX, rateY }) => (rateX === 0 && rateY === 0 ? [] : { refused: "unsupported" }),
  };
}

function miredsCommands(kelvin: DescribedProperty): Commands {
  const { min, max } = miredsRange(kelvin);
  const to = (mireds: number) => [writeColour(kelvin, kelvinOf(bounded(mireds, min, max)))];
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
  return writeColour(hue, (of254 / FULL) * CIRCLE);
}

function saturationWrite({ saturation }: Colour, of254: number): Write {
  return writeColour(saturation, (of254 / FULL) * 100);
}

function writeColour(property: DescribedProperty, value: number): Write {
  return { key: property.key, value: fitted(Math.round(value * 10) / 10, property) };
}
