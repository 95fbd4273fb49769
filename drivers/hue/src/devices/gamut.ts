/** The colours that a lamp can show: a triangle of the CIE 1931 diagram. Pure. */
import { numberAt, type Resource } from "../resources/resource.ts";

export type Point = readonly [x: number, y: number];
export type Gamut = readonly [red: Point, green: Point, blue: Point];

/** The gamut that a lamp tells; undefined when it tells none. */
export function gamutOf(light: Resource): Gamut | undefined {
  const [red, green, blue] = ["red", "green", "blue"].map((corner) => pointAt(light, `color.gamut.${corner}`));
  return red && green && blue && [red, green, blue];
}

export function pointAt(of: Resource, path: string): Point | undefined {
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

export function distance([x, y]: Point, [otherX, otherY]: Point): number {
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
