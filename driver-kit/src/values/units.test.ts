import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  celsiusOf,
  fahrenheitOf,
  hueAndSaturationOf,
  hueAndSaturationOfXy,
  levelOf,
  percentOf,
  reciprocalMegakelvin,
  rgbOf,
  turnedRound,
  xyOf,
} from "./units.ts";

describe("a level", () => {
  test.for([
    [0, 254, 0],
    [1, 254, 0.3937007874015748],
    [127, 254, 50],
    [254, 254, 100],
    [51, 255, 20],
  ] as const)("of %d in %d is %d %%", ([level, full, percent]) => {
    expect(percentOf(level, full)).toBeCloseTo(percent, 10);
    expect(levelOf(percent, full)).toBe(level);
  });

  test("that is not quite off is not off", () => {
    expect(levelOf(0.1, 254)).toBe(1);
    expect(levelOf(0, 254)).toBe(0);
  });
});

test.for([
  [153, 6536],
  [250, 4000],
  [370, 2703],
  [500, 2000],
] as const)("%d mired are %d K, and the other way", ([mired, kelvin]) => {
  expect(reciprocalMegakelvin(mired)).toBe(kelvin);
  expect(reciprocalMegakelvin(kelvin)).toBe(mired);
});

test.for([
  [32, 0],
  [212, 100],
  [-40, -40],
  [69.8, 21],
] as const)("%d °F are %d °C, and the other way", ([fahrenheit, celsius]) => {
  expect(celsiusOf(fahrenheit)).toBeCloseTo(celsius, 10);
  expect(fahrenheitOf(celsius)).toBeCloseTo(fahrenheit, 10);
});

test("a cover that is 30 % closed is 70 % open", () => {
  expect(turnedRound(30)).toBe(70);
});

describe("a colour", () => {
  test.for([
    [[255, 0, 0], { hue: 0, saturation: 100 }],
    [[0, 255, 0], { hue: 120, saturation: 100 }],
    [[0, 0, 255], { hue: 240, saturation: 100 }],
    [[255, 255, 255], { hue: 0, saturation: 0 }],
    [[255, 128, 0], { hue: 30.1, saturation: 100 }],
    [[255, 191, 191], { hue: 0, saturation: 25.1 }],
  ] as const)("of red, green, blue %j is %j, and the other way", ([[red, green, blue], expected]) => {
    const { hue, saturation } = hueAndSaturationOf(red, green, blue);
    expect(hue).toBeCloseTo(expected.hue, 0);
    expect(saturation).toBeCloseTo(expected.saturation, 0);
    expect(rgbOf({ hue, saturation })).toEqual([red, green, blue]);
  });

  // The primaries and the white point of sRGB (IEC 61966-2-1, table 1).
  test.for([
    [0.64, 0.33, { hue: 0, saturation: 100 }],
    [0.3, 0.6, { hue: 120, saturation: 100 }],
    [0.15, 0.06, { hue: 240, saturation: 100 }],
  ] as const)("at x %d, y %d is %j", ([x, y, expected]) => {
    const { hue = Number.NaN, saturation } = hueAndSaturationOfXy(x, y) ?? {};
    expect(Math.abs(((hue - expected.hue + 540) % 360) - 180)).toBeLessThan(1);
    expect(saturation).toBeGreaterThan(98);
    const [backX, backY] = xyOf(expected);
    expect(Math.hypot(backX - x, backY - y)).toBeLessThan(0.0005);
  });

  test("at the white point has no saturation", () => {
    expect(hueAndSaturationOfXy(0.3127, 0.329)?.saturation).toBeLessThan(1);
  });

  test("without light is none", () => {
    expect([hueAndSaturationOfXy(0, 0), hueAndSaturationOfXy(0.3, 0)]).toEqual([null, null]);
  });

  test("as a point of the diagram comes back", () => {
    const colours = fc.record({
      hue: fc.double({ min: 0, max: 359, noNaN: true }),
      saturation: fc.double({ min: 20, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(colours, (colour) => {
        const back = hueAndSaturationOfXy(...xyOf(colour)) ?? { hue: Number.NaN, saturation: Number.NaN };
        expect(Math.abs(((back.hue - colour.hue + 540) % 360) - 180)).toBeLessThan(1.5);
        expect(Math.abs(back.saturation - colour.saturation)).toBeLessThan(1);
      }),
    );
  });

  test("of any hue at full value comes back", () => {
    const colours = fc.record({
      hue: fc.double({ min: 0, max: 359, noNaN: true }),
      saturation: fc.double({ min: 20, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(colours, (colour) => {
        const back = hueAndSaturationOf(...rgbOf(colour));
        const apart = Math.abs(((back.hue - colour.hue + 540) % 360) - 180);
        expect(apart).toBeLessThan(1.5);
        expect(Math.abs(back.saturation - colour.saturation)).toBeLessThan(0.5);
      }),
    );
  });
});
