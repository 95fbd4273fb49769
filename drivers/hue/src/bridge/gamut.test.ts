import { describe, expect, test } from "vitest";
import { type Gamut, type Point, withinGamut } from "./lamps.ts";

/** Of older lamps (gamut A): their green is far from that of sRGB. */
const A: Gamut = [
  [0.704, 0.296],
  [0.2151, 0.7106],
  [0.138, 0.08],
];

describe("a colour becomes one that the lamp can show", () => {
  test.each<[what: string, asked: Point, shown: Point]>([
    ["white stays", [0.3127, 0.329], [0.3127, 0.329]],
    ["a corner stays", [0.704, 0.296], [0.704, 0.296]],
    ["beyond the blue corner", [0.1, 0.02], [0.138, 0.08]],
    ["beyond the edge from green to blue", [0.1, 0.4], [0.176, 0.3907]],
  ])("%s", (_, asked, shown) => {
    const [x, y] = withinGamut(asked, A);
    expect(x).toBeCloseTo(shown[0], 2);
    expect(y).toBeCloseTo(shown[1], 2);
  });

  test("whichever way round the triangle is reported", () => {
    const [red, green, blue] = A;
    const [x, y] = withinGamut([0.1, 0.02], [blue, green, red]);
    expect([x, y]).toEqual([expect.closeTo(0.138, 6), expect.closeTo(0.08, 6)]);
  });

  test("and stays as it is where the lamp reports no gamut", () => {
    expect(withinGamut([0, 0], undefined)).toEqual([0, 0]);
  });
});
