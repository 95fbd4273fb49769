/** `light`: on, level, colour and colour temperature, as far as its colour modes allow; white level and effects are settings. */
import {
  hueAndSaturationOf,
  readMired,
  readNumber,
  readPercent,
  reciprocalMegakelvin,
  rgbOf,
} from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { EntityState, EspHomeEntity } from "../wire/messages.ts";
import {
  customParts,
  type EntityComponent,
  type EntityPart,
  type EspHomeCommand,
  near,
  numbersTrait,
  numberTrait,
  readsFlagField,
  readsListedField,
  readsPercentField,
  setting,
  standardParts,
  wordsTrait,
} from "./esphome-property.ts";

/** Capabilities of a colour mode, as bits of its number. */
const WHITE = 4;
const TEMPERATURE = 8;
const COLD_AND_WARM = 16;
const RGB = 32;
const COLOUR_MODES: ReadonlySet<number> = new Set([0, 1, 2, 3, 7, 11, 19, 35, 39, 47, 51]);
/** Rounding of 32-bit floats and eight-bit channels, as a part of 1. */
const TOLERANCE = 0.006;
/** Range of a lamp that does not report its own, micro reciprocal kelvin. */
const MIREDS = { min: 153, max: 500 };
const NO_EFFECT = "None";

export const describeLight: EntityComponent = (entity) => {
  const modes = numbersTrait(entity, "supportedColorModes");
  /** The simplest mode with that capability. */
  const modeWith = (bit: number) => modes.filter((mode) => (mode & bit) !== 0).sort((a, b) => a - b)[0];
  const [rgb, white] = [modeWith(RGB), modeWith(WHITE)];
  const temperature = modeWith(TEMPERATURE) ?? modeWith(COLD_AND_WARM);
  const effects = wordsTrait(entity, "effects");
  const on = { read: readsFlagField("state"), command: (value: Value) => setting("state", value === true) };
  return {
    parts: [
      ...standardParts("Switch", "on", on),
      ...(modes.some((mode) => (mode & ~1) !== 0) ? level() : []),
      ...(rgb === undefined ? [] : colour(rgb)),
      ...(temperature === undefined ? [] : colourTemperature(entity, temperature)),
      ...(white === undefined ? [] : whiteLevel(white)),
      ...(effects.length > 0 ? effect(effects) : []),
    ],
    isPartial: modes.some((mode) => (mode & COLD_AND_WARM) !== 0 && (mode & RGB) !== 0),
  };
};

/** A lamp that is off keeps its brightness; 0 is not a valid brightness. */
function level(): EntityPart[] {
  const command = (value: Value): EspHomeCommand => {
    const brightness = Number(value) / 100;
    return { options: { brightness }, isSo: (state) => near(state.brightness, brightness, TOLERANCE) };
  };
  return standardParts("LightLevel", "level", { read: readsPercentField("brightness", 1, 1), command }, { min: 1 });
}

/** Hue and saturation of the RGB channels at full value; the level carries the brightness. */
function colour(mode: number): EntityPart[] {
  const part = (name: "hue" | "saturation") =>
    standardParts("LightColor", name, {
      read: (state) => {
        const now = colourOf(state);
        return now && Number(now[name].toFixed(1));
      },
      command: (value, state) => {
        const before = (state && colourOf(state)) ?? { hue: 0, saturation: 100 };
        return rgbCommand(mode, rgbOf({ ...before, [name]: Number(value) }));
      },
    });
  return [...part("hue"), ...part("saturation")];
}

function rgbCommand(mode: number, rgb: readonly [number, number, number]): EspHomeCommand {
  const [red, green, blue] = rgb.map((channel) => channel / 255) as [number, number, number];
  return {
    options: { colorMode: mode, colorBrightness: 1, hasRgb: true, red, green, blue },
    isSo: (state) =>
      isIn(state, RGB) &&
      near(state.red, red, TOLERANCE) &&
      near(state.green, green, TOLERANCE) &&
      near(state.blue, blue, TOLERANCE),
  };
}

/** `null` while the mode has no colour. */
function colourOf(state: EntityState) {
  if (!isIn(state, RGB)) return null;
  const [red, green, blue] = [state.red, state.green, state.blue].map((part) => readPercent(part, 1));
  if (typeof red !== "number" || typeof green !== "number" || typeof blue !== "number") return null;
  return hueAndSaturationOf(red, green, blue);
}

function colourTemperature(entity: EspHomeEntity, mode: number): EntityPart[] {
  const least = numberTrait(entity, "minMireds") || MIREDS.min;
  const most = numberTrait(entity, "maxMireds") || MIREDS.max;
  if (least >= most) return [];
  const mireds = (state: EntityState) => {
    if (isIn(state, TEMPERATURE)) return readNumber(state.colorTemperature) ?? undefined;
    return isIn(state, COLD_AND_WARM) ? mixedMireds(state, least, most) : undefined;
  };
  const read = (state: EntityState) => readMired(mireds(state) ?? null);
  const command = (value: Value): EspHomeCommand => {
    const asked = 1_000_000 / Number(value);
    const tolerance = (mode & TEMPERATURE) === 0 ? (most - least) / 50 : 1;
    return {
      options: { colorMode: mode, colorTemperature: asked },
      isSo: (state) => near(mireds(state), asked, tolerance),
    };
  };
  const range = { min: Math.max(1000, reciprocalMegakelvin(most)), max: Math.min(10_000, reciprocalMegakelvin(least)) };
  return standardParts("LightTemperature", "kelvin", { read, command }, range);
}

/** Colour temperature of a mixture of cold and warm white. */
function mixedMireds({ coldWhite, warmWhite }: EntityState, least: number, most: number): number | undefined {
  const [cold, warm] = [readPercent(coldWhite, 1), readPercent(warmWhite, 1)];
  if (typeof cold !== "number" || typeof warm !== "number") return undefined;
  return cold + warm > 0 ? least + (warm / (cold + warm)) * (most - least) : undefined;
}

/** `null` while the mode has no white. */
function whiteLevel(mode: number): EntityPart[] {
  const command = (value: Value, state: EntityState | undefined): EspHomeCommand => {
    const white = Number(value) / 100;
    return {
      options: state && isIn(state, WHITE) ? { white } : { colorMode: mode, white },
      isSo: (now) => isIn(now, WHITE) && near(now.white, white, TOLERANCE),
    };
  };
  const part = readsPercentField("white", 1, 1);
  const binding = { read: (state: EntityState) => (isIn(state, WHITE) ? part(state) : null), command };
  return customParts("white", "number", binding, { min: 0, max: 100, unit: "%" });
}

function effect(effects: readonly string[]): EntityPart[] {
  const values = [NO_EFFECT, ...effects.filter((each) => each !== NO_EFFECT)];
  const listed = readsListedField("effect", values);
  const now = (state: EntityState) => (state.effect === "" ? NO_EFFECT : listed(state));
  const command = (value: Value): EspHomeCommand => ({
    options: { effect: String(value) },
    isSo: (state) => now(state) === value,
  });
  return customParts("effect", "string", { read: now, command }, { values });
}

/** A mode that is not listed has no known capability. */
function isIn({ colorMode }: EntityState, bit: number): boolean {
  return typeof colorMode === "number" && COLOUR_MODES.has(colorMode) && (colorMode & bit) !== 0;
}
