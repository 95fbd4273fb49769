/** Lamps, plugs and groups of lamps: `light` and `grouped_light`. */
import {
  type HueAndSaturation,
  hueAndSaturationOfXy,
  type Read,
  readBoolean,
  readMired,
  readNumber,
  readPercent,
  readShare,
  reciprocalMegakelvin,
  xyOf,
} from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { fieldAt, numberAt, type Reference, type Resource } from "./resource.ts";
import type { HueProperty } from "./scenes.ts";
import { naming, ofClass } from "./sensors.ts";

/** Tolerance for the 254 steps of a lamp's level. */
const LEVEL_TOLERANCE = 0.5;
/** Tolerance in the CIE diagram, below the visible difference. */
const POINT_TOLERANCE = 0.01;
/** Half a mirek at 6,500 K, K. */
const KELVIN_TOLERANCE = 22;
/** Colour of a lamp that has not reported one. */
const UNREPORTED: HueAndSaturation = { hue: 0, saturation: 100 };

/** A field that exists gets its property, even without a value. */
export function lampProperties(light: Resource, of: Reference): HueProperty[] {
  const has = (field: string) => fieldAt(light, field) !== undefined;
  return [
    ...(has("on") ? onProperty(of) : []),
    ...(has("dimming") ? levelProperty(light, of) : []),
    ...(has("color") ? colourProperties(of) : []),
    ...(has("color_temperature") ? temperatureProperty(light, of) : []),
  ];
}

/** Features of the lamp without a property: `light.gradient`. */
export function lampLeftAside(light: Resource): readonly string[] {
  return ["gradient", "effects", "effects_v2", "timed_effects"].flatMap((field) =>
    fieldAt(light, field) === undefined ? [] : [`light.${field}`],
  );
}

function onProperty(of: Reference): HueProperty[] {
  const set = (on: Value) => ({ body: { on: { on } } });
  return ofClass(of, "Switch", "on", {
    ...{ read: (light) => readBoolean(fieldAt(light, "on.on")), says: naming("on.on"), set },
  });
}

/** Setting a level also turns the lamp on, like the manufacturer's app, because a bridge rejects the level of a lamp that is off. */
function levelProperty(light: Resource, of: Reference): HueProperty[] {
  // Below its minimum level a lamp is off, which is another property.
  const min = Math.ceil((numberAt(light, "dimming.min_dim_level") ?? 0) * 10) / 10;
  const set = (level: Value) => ({ body: { on: { on: true }, dimming: { brightness: level } } });
  const says = naming("dimming.brightness");
  return ofClass(of, "LightLevel", "level", { read: levelOf, says, set, limits: { min }, tolerance: LEVEL_TOLERANCE });
}

/** The bridge replaces a colour outside the lamp's gamut by the nearest one inside, and reports that. */
function colourProperties(of: Reference): HueProperty[] {
  return (["hue", "saturation"] as const).flatMap((part) => {
    const set = (value: Value, now: Resource) => {
      const asked = xyOf({ ...UNREPORTED, ...colourAt(now), [part]: Number(value) });
      const [x = 0, y = 0] = withinGamut(asked, gamutOf(now)).map(tenThousandths);
      return { body: { color: { xy: { x, y } } }, isDone: (light: Resource) => isAt(light, [x, y]) };
    };
    return ofClass(of, "LightColor", part, {
      ...{ read: (light) => partOf(colourOf(light), part), says: naming("color.xy", ...MODE), set },
    });
  });
}

function isAt(light: Resource, asked: Point): boolean | undefined {
  const point = pointAt(light, "color.xy");
  return point && distance(point, asked) <= POINT_TOLERANCE;
}

function temperatureProperty(light: Resource, of: Reference): HueProperty[] {
  const limit = (end: string) => {
    const mirek = numberAt(light, `color_temperature.mirek_schema.${end}`) ?? 0;
    return mirek > 0 ? reciprocalMegakelvin(mirek) : undefined;
  };
  const set = (kelvin: Value) => ({ body: { color_temperature: { mirek: reciprocalMegakelvin(Number(kelvin)) } } });
  const limits = { min: limit("mirek_maximum"), max: limit("mirek_minimum") };
  return ofClass(of, "LightTemperature", "kelvin", {
    ...{ read: kelvinOf, says: naming("color.xy", ...MODE), set, limits, tolerance: KELVIN_TOLERANCE },
  });
}

/** Fields that determine white mode: the temperature and its validity. */
const MODE = ["color_temperature.mirek", "color_temperature.mirek_valid"];

/** Level of a lamp. 0 is `null`: it means off, and not the level that the lamp will have when it is on. */
function levelOf(light: Resource): Read<number> {
  const level = readPercent(fieldAt(light, "dimming.brightness"));
  return level === 0 ? null : level;
}

/** Whether the lamp is in white mode: by the bridge's validity flag, else by the presence of a temperature. */
function showsWhite(light: Resource): boolean {
  const isValid = readBoolean(fieldAt(light, "color_temperature.mirek_valid"));
  return isValid === undefined ? typeof mirekOf(light) === "number" : isValid === true;
}

/** `null` in white mode, where the colour point shows only the temperature. */
function colourOf(light: Resource): Read<HueAndSaturation> {
  return showsWhite(light) ? null : colourAt(light);
}

/** Colour of the lamp's current point, in either mode. */
function colourAt(light: Resource): Read<HueAndSaturation> {
  const xy = fieldAt(light, "color.xy");
  if (xy === undefined) return light.color === null ? null : undefined;
  const [x, y] = ["x", "y"].map((end) => readShare(readNumber(fieldAt(xy, end)), 0, 1));
  if (typeof x !== "number" || typeof y !== "number") return null;
  const point = hueAndSaturationOfXy(x, y);
  return point && { hue: tenths(point.hue), saturation: tenths(point.saturation) };
}

function partOf(colour: Read<HueAndSaturation>, part: keyof HueAndSaturation): Read<number> {
  return colour?.[part] ?? (colour === null ? null : undefined);
}

/** `null` in colour mode. */
function kelvinOf(light: Resource): Read<number> {
  return showsWhite(light) ? mirekOf(light) : null;
}

function mirekOf(light: Resource): Read<number> {
  return readMired(fieldAt(light, "color_temperature.mirek"));
}

/** Rounds to the four decimal places of lamps. */
function tenThousandths(part: number): number {
  return Math.round(part * 10_000) / 10_000;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The gamut of a lamp: a triangle of the CIE 1931 diagram. Pure. */
export type Point = readonly [x: number, y: number];
export type Gamut = readonly [red: Point, green: Point, blue: Point];

/** The lamp's reported gamut; undefined when it reports none. */
function gamutOf(light: Resource): Gamut | undefined {
  const [red, green, blue] = ["red", "green", "blue"].map((corner) => pointAt(light, `color.gamut.${corner}`));
  return red && green && blue && [red, green, blue];
}

function pointAt(of: Resource, path: string): Point | undefined {
  const [x, y] = [numberAt(of, `${path}.x`), numberAt(of, `${path}.y`)];
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** The point itself, or the nearest one on the gamut's edge, which the lamp would show instead. */
export function withinGamut(point: Point, gamut: Gamut | undefined): Point {
  if (!gamut) return point;
  const [red, green, blue] = gamut;
  const edges: readonly (readonly [Point, Point])[] = [
    [red, green],
    [green, blue],
    [blue, red],
  ];
  const sides = edges.map(([from, to]) => side(point, from, to));
  if (sides.every((each) => each >= 0) || sides.every((each) => each <= 0)) return point;
  const nearest = edges.map(([from, to]) => nearestOn(point, from, to));
  return nearest.reduce((best, each) => (distance(point, each) < distance(point, best) ? each : best));
}

function distance([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.hypot(x - otherX, y - otherY);
}

/** Shows on which side of a line a point lies, by its sign. */
function side([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);
}

function nearestOn([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): Point {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const length = alongX ** 2 + alongY ** 2;
  const share = length === 0 ? 0 : ((x - fromX) * alongX + (y - fromY) * alongY) / length;
  const bounded = Math.max(0, Math.min(1, share));
  return [fromX + bounded * alongX, fromY + bounded * alongY];
}
