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
import { fieldAt, numberAt, type Reference, type Resource } from "../resources/resource.ts";
import type { HueProperty } from "./scenes.ts";
import { naming, ofClass } from "./sensors.ts";

/** A lamp keeps 254 steps of its level. */
const LEVEL_TOLERANCE = 0.5;
/** Of the diagram's plane: what an eye does not tell apart. */
const POINT_TOLERANCE = 0.01;
/** Half a mirek at 6,500 K, K. */
const KELVIN_TOLERANCE = 22;
/** The colour of a lamp that has not told one. */
const UNTOLD: HueAndSaturation = { hue: 0, saturation: 100 };

/** A field that is there has its property, also while it has no value. */
export function lampProperties(light: Resource, of: Reference): HueProperty[] {
  const has = (field: string) => fieldAt(light, field) !== undefined;
  return [
    ...(has("on") ? onProperty(of) : []),
    ...(has("dimming") ? levelProperty(light, of) : []),
    ...(has("color") ? colourProperties(of) : []),
    ...(has("color_temperature") ? temperatureProperty(light, of) : []),
  ];
}

/** What a lamp can do besides, that no property stands for: `light.gradient`. */
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

/** Turns the lamp on, as the maker's app does: a bridge refuses the level of a lamp that is off. */
function levelProperty(light: Resource, of: Reference): HueProperty[] {
  // Below its least level a lamp is off, and that is another property.
  const min = Math.ceil((numberAt(light, "dimming.min_dim_level") ?? 0) * 10) / 10;
  const set = (level: Value) => ({ body: { on: { on: true }, dimming: { brightness: level } } });
  const says = naming("dimming.brightness");
  return ofClass(of, "LightLevel", "level", { read: levelOf, says, set, limits: { min }, tolerance: LEVEL_TOLERANCE });
}

/** A colour that the lamp cannot show becomes the nearest one that it can: that is what it then says. */
function colourProperties(of: Reference): HueProperty[] {
  return (["hue", "saturation"] as const).flatMap((part) => {
    const set = (value: Value, now: Resource) => {
      const asked = xyOf({ ...UNTOLD, ...colourAt(now), [part]: Number(value) });
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

/** What says whether a lamp shows white: its temperature, or a colour. */
const MODE = ["color_temperature.mirek", "color_temperature.mirek_valid"];

/** A lamp that is on has a level above 0: 0 is the level of one that is off, and not the one that it will have. */
function levelOf(light: Resource): Read<number> {
  const level = readPercent(fieldAt(light, "dimming.brightness"));
  return level === 0 ? null : level;
}

/** Whether it shows white: by what the bridge says of the temperature, or because there is one. */
function showsWhite(light: Resource): boolean {
  const isValid = readBoolean(fieldAt(light, "color_temperature.mirek_valid"));
  return isValid === undefined ? typeof mirekOf(light) === "number" : isValid === true;
}

/** No value of a lamp that shows white: its point says how warm that is. */
function colourOf(light: Resource): Read<HueAndSaturation> {
  return showsWhite(light) ? null : colourAt(light);
}

/** The colour of the point at which a lamp shines, whatever that means. */
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

/** No value of a lamp that shows a colour. */
function kelvinOf(light: Resource): Read<number> {
  return showsWhite(light) ? mirekOf(light) : null;
}

function mirekOf(light: Resource): Read<number> {
  return readMired(fieldAt(light, "color_temperature.mirek"));
}

/** The places that lamps have. */
function tenThousandths(part: number): number {
  return Math.round(part * 10_000) / 10_000;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The colours that a lamp can show: a triangle of the CIE 1931 diagram. Pure. */
export type Point = readonly [x: number, y: number];
export type Gamut = readonly [red: Point, green: Point, blue: Point];

/** The gamut that a lamp tells; undefined when it tells none. */
function gamutOf(light: Resource): Gamut | undefined {
  const [red, green, blue] = ["red", "green", "blue"].map((corner) => pointAt(light, `color.gamut.${corner}`));
  return red && green && blue && [red, green, blue];
}

function pointAt(of: Resource, path: string): Point | undefined {
  const [x, y] = [numberAt(of, `${path}.x`), numberAt(of, `${path}.y`)];
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** The point itself, or the nearest of the gamut's edge: what the lamp makes of it. */
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

/** On which side of a line it lies. */
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
