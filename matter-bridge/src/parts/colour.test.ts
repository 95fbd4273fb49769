/** Colours in both words: against points that are known, and there and back. */
import { expect, test } from "vitest";
import { chromaticityOf, hueSaturationOf } from "./units.ts";

test.each([
  ["red", 0, 100, 0.64, 0.33],
  ["green", 120, 100, 0.3, 0.6],
  ["blue", 240, 100, 0.15, 0.06],
  ["white", 77, 0, 0.3127, 0.329],
])("%s is where sRGB has it", (_name, hue, saturation, x, y) => {
  const point = chromaticityOf({ hue, saturation });
  expect(point.x).toBeCloseTo(x, 2);
  expect(point.y).toBeCloseTo(y, 2);
});

test("every colour comes back as it was, within a degree and a percent", () => {
  for (let hue = 0; hue < 360; hue += 15)
    for (const saturation of [20, 60, 100]) {
      const back = hueSaturationOf(chromaticityOf({ hue, saturation }));
      const apart = Math.abs(((back.hue - hue + 540) % 360) - 180);
      expect([hue, saturation, apart < 1, Math.abs(back.saturation - saturation) < 1]).toEqual([
        hue,
        saturation,
        true,
        true,
      ]);
    }
});

test("what no screen can show is some colour that it can", () => {
  for (const [x, y] of [
    [0, 1],
    [1, 0],
    [0.7, 0.05],
    [0, 0],
  ] as const) {
    const { hue, saturation } = hueSaturationOf({ x, y });
    expect(hue >= 0 && hue < 360 && saturation >= 0 && saturation <= 100.001).toBe(true);
  }
});
