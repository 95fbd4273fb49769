/** Lamps, plugs and groups of lamps: `light` and `grouped_light`. */
import type { Value } from "@porchlight/shared/model";
import { type HueAndSaturation, hueAndSaturationOfXy, reciprocalMegakelvin, xyOf } from "../../kit/index.ts";
import { fieldAt, flagAt, numberAt, type Resource } from "../resources/resource.ts";
import { distance, gamutOf, type Point, pointAt, withinGamut } from "./gamut.ts";
import type { HueProperty } from "./hue-device.ts";
import { ofClass, type ServicePlace } from "./standard-property.ts";

/** A lamp keeps 254 steps of its level. */
const LEVEL_TOLERANCE = 0.5;
/** Of the diagram's plane: what an eye does not tell apart. */
const POINT_TOLERANCE = 0.01;
/** Half a mirek at 6,500 K, K. */
const KELVIN_TOLERANCE = 22;
/** The colour of a lamp that has not told one. */
const UNTOLD: HueAndSaturation = { hue: 0, saturation: 100 };

export function lampProperties(light: Resource, place: ServicePlace): HueProperty[] {
  return [
    ...(fieldAt(light, "on") ? onProperty(place) : []),
    ...(fieldAt(light, "dimming") ? levelProperty(light, place) : []),
    ...(fieldAt(light, "color") ? colourProperties(place) : []),
    ...(fieldAt(light, "color_temperature") ? temperatureProperty(light, place) : []),
  ];
}

/** What a lamp can do besides, that no property stands for: `light.gradient`. */
export function lampLeftAside(light: Resource): readonly string[] {
  return ["gradient", "effects", "effects_v2", "timed_effects"].flatMap((field) =>
    fieldAt(light, field) === undefined ? [] : [`light.${field}`],
  );
}

function onProperty(place: ServicePlace): HueProperty[] {
  const set = (on: Value) => ({ body: { on: { on } } });
  return ofClass(place, "Switch", "on", { read: (light) => flagAt(light, "on.on"), set });
}

/** Turns the lamp on, as the maker's app does: a bridge refuses the level of a lamp that is off. */
function levelProperty(light: Resource, place: ServicePlace): HueProperty[] {
  // Below its least level a lamp is off, and that is another property.
  const min = Math.ceil((numberAt(light, "dimming.min_dim_level") ?? 0) * 10) / 10;
  const set = (level: Value) => ({ body: { on: { on: true }, dimming: { brightness: level } } });
  const read = (each: Resource) => numberAt(each, "dimming.brightness");
  return ofClass(place, "LightLevel", "level", { read, set, limits: { min }, tolerance: LEVEL_TOLERANCE });
}

/** A colour that the lamp cannot show becomes the nearest one that it can: that is what it then says. */
function colourProperties(place: ServicePlace): HueProperty[] {
  return (["hue", "saturation"] as const).flatMap((part) => {
    const set = (value: Value, now: Resource) => {
      const asked = xyOf({ ...UNTOLD, ...colourOf(now), [part]: Number(value) });
      const [x = 0, y = 0] = withinGamut(asked, gamutOf(now)).map(tenThousandths);
      return { body: { color: { xy: { x, y } } }, isDone: (light: Resource) => isAt(light, [x, y]) };
    };
    return ofClass(place, "LightColor", part, { read: (light) => colourOf(light)?.[part], set });
  });
}

function isAt(light: Resource, asked: Point): boolean | undefined {
  const point = pointAt(light, "color.xy");
  return point && distance(point, asked) <= POINT_TOLERANCE;
}

function temperatureProperty(light: Resource, place: ServicePlace): HueProperty[] {
  const limit = (end: string) => {
    const mirek = numberAt(light, `color_temperature.mirek_schema.${end}`) ?? 0;
    return mirek > 0 ? reciprocalMegakelvin(mirek) : undefined;
  };
  const set = (kelvin: Value) => ({ body: { color_temperature: { mirek: reciprocalMegakelvin(Number(kelvin)) } } });
  const limits = { min: limit("mirek_maximum"), max: limit("mirek_minimum") };
  return ofClass(place, "LightTemperature", "kelvin", { read: kelvinOf, set, limits, tolerance: KELVIN_TOLERANCE });
}

function colourOf(light: Resource): HueAndSaturation | undefined {
  const point = pointAt(light, "color.xy");
  if (!point) return undefined;
  const { hue, saturation } = hueAndSaturationOfXy(...point);
  return { hue: tenths(hue), saturation: tenths(saturation) };
}

/** `null` of a lamp that shows a colour. */
function kelvinOf(light: Resource): Value | undefined {
  if (flagAt(light, "color_temperature.mirek_valid") === false) return null;
  const mirek = numberAt(light, "color_temperature.mirek");
  return mirek === undefined || mirek <= 0 ? undefined : reciprocalMegakelvin(mirek);
}

/** The places that lamps have. */
function tenThousandths(part: number): number {
  return Math.round(part * 10_000) / 10_000;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
