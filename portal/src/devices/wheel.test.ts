/** The geometry of the colour wheel. */
import { describe, expect, test } from "vitest";
import { afterKey, colourAt, colourWord, cssColour, placeOf } from "./wheel.ts";

const ranges = { hue: { min: 0, max: 360, step: 1 }, saturation: { min: 0, max: 100, step: 0.5 } };

describe("a place on the wheel", () => {
  test.each([
    ["the top", { x: 0, y: -1 }, { hue: 0, saturation: 100 }],
    ["the right", { x: 1, y: 0 }, { hue: 90, saturation: 100 }],
    ["half way down", { x: 0, y: 0.5 }, { hue: 180, saturation: 50 }],
    ["the left", { x: -1, y: 0 }, { hue: 270, saturation: 100 }],
    ["outside, at the nearest of the rim", { x: 3, y: -3 }, { hue: 45, saturation: 100 }],
    ["the middle, where the hue stays", { x: 0.001, y: 0.001 }, { hue: 200, saturation: 0 }],
  ])("%s is a colour", (_, place, colour) => {
    expect(colourAt(place, 200, ranges)).toEqual(colour);
  });

  test("is where its colour is shown", () => {
    for (let hue = 0; hue < 360; hue += 7)
      for (const saturation of [10, 50, 100])
        expect(colourAt(placeOf({ hue, saturation }), 0, ranges)).toEqual({ hue, saturation });
  });

  test("is within what the device can do", () => {
    const coarse = { hue: { min: 0, max: 350, step: 10 }, saturation: { min: 0, max: 80, step: 20 } };
    expect(colourAt(placeOf({ hue: 357, saturation: 100 }), 0, coarse)).toEqual({ hue: 350, saturation: 80 });
  });
});

describe("a key", () => {
  const from = { hue: 0, saturation: 50 };
  test.each([
    ["ArrowRight", false, { hue: 1, saturation: 50 }],
    ["ArrowLeft", false, { hue: 359, saturation: 50 }],
    ["ArrowLeft", true, { hue: 350, saturation: 50 }],
    ["ArrowUp", false, { hue: 0, saturation: 51 }],
    ["ArrowDown", true, { hue: 0, saturation: 40 }],
    ["PageUp", false, { hue: 30, saturation: 50 }],
    ["PageDown", false, { hue: 330, saturation: 50 }],
    ["Home", false, { hue: 0, saturation: 0 }],
    ["End", false, { hue: 0, saturation: 100 }],
  ])("%s (shift: %s) leads on", (key, isShift, to) => {
    expect(afterKey(key, isShift, from, ranges)).toEqual(to);
  });

  test("goes no further than the rim, and others lead nowhere", () => {
    expect(afterKey("ArrowUp", true, { hue: 5, saturation: 98 }, ranges)).toEqual({ hue: 5, saturation: 100 });
    expect(afterKey("Tab", false, from, ranges)).toBeUndefined();
  });
});

test("a colour has a word and is drawn as light", () => {
  expect(colourWord({ hue: 358, saturation: 100 })).toBe("red");
  expect(colourWord({ hue: 240, saturation: 30 })).toBe("pale blue");
  expect(colourWord({ hue: 240, saturation: 2 })).toBe("white");
  expect(cssColour({ hue: 120, saturation: 0 })).toBe("hsl(120 100% 100%)");
  expect(cssColour({ hue: 120, saturation: 100 })).toBe("hsl(120 100% 50%)");
});
