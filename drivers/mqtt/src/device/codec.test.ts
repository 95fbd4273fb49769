/** Codecs, by the spellings in which publishers say a value or that there is none. */
import { describe, expect, test } from "vitest";
import {
  booleanCodec,
  type Codec,
  levelCodec,
  miredCodec,
  numberCodec,
  plainCodec,
  shareCodec,
  wordsCodec,
} from "./codec.ts";

const onOff = booleanCodec("ON", "OFF");
const trueFalse = booleanCodec(true, false);
const trueAsText = booleanCodec("true", "false");
const oneZero = booleanCodec(1, 0);
const temperature = numberCodec(1, 0.5, [-327.68]);
const milliamperes = numberCodec(0.001);
const level = levelCodec(254);
const percent = levelCodec(100);
const position = shareCodec(0, 100);
const closed = shareCodec(0, 100, (open) => 100 - open);
const colour = miredCodec(153);
const movement = wordsCodec([
  ["UP", "opening"],
  ["STOP", "stopped"],
]);
const words = plainCodec({ property: "a", type: "string", access: ["read"], values: ["none", "low"] });
const text = plainCodec({ property: "a", type: "string", access: ["read"] });
const json = plainCodec({ property: "a", type: "json", access: ["read"] });

describe("a codec", () => {
  test.for<[name: string, codec: Codec]>([
    ["boolean", onOff],
    ["number", temperature],
    ["level", level],
    ["share", position],
    ["mired", colour],
    ["words", movement],
    ["enumeration", words],
    ["text", text],
    ["json", json],
  ])("of a %s reads nothing from an absent member, and no value from null", ([, codec]) => {
    expect([codec.read(undefined), codec.read(null)]).toEqual([undefined, null]);
  });

  test.for<[name: string, codec: Codec, raw: unknown, value: unknown]>([
    ["a word", onOff, "ON", true],
    ["a word in another case", onOff, "off", false],
    ["a word for neither", onOff, "TOGGLE", null],
    ["a boolean for a word", onOff, true, null],
    ["a number for a word", onOff, 254, null],
    ["a boolean", trueFalse, false, false],
    ["a boolean as text", trueFalse, "false", false],
    ["no boolean", trueFalse, 2, null],
    ["a boolean for a boolean as text", trueAsText, true, true],
    ["a number as text", oneZero, "1", true],
    ["a number", oneZero, 0, false],
    ["a number for neither", oneZero, 254, null],
    ["a number as text", temperature, "21.7", 21.7],
    ["a number as text with blanks", temperature, " -3 ", -3],
    ["a marker", temperature, -327.68, null],
    ["a marker as text", temperature, "-327.68", null],
    ["a word for no value", temperature, "unknown", null],
    ["not a number", temperature, "NaN", null],
    ["infinity", temperature, "-inf", null],
    ["a boolean for a number", temperature, true, null],
    ["a list", temperature, [21], null],
    ["more than a sensor can measure", temperature, 900, 900],
    ["milliamperes as text", milliamperes, "120", 0.12],
    ["a level", level, 127, 50],
    ["a level as text", level, "127", 50],
    ["more by rounding", level, 255, 100],
    ["more than there is", level, 300, null],
    ["a marker for a level", level, 65535, null],
    ["less than none", level, -2, null],
    ["a marker for a charge", percent, 255, null],
    ["more charge by rounding", percent, 100.4, 100],
    ["half of a marker", percent, 127.5, null],
    ["a position", position, "30", 30],
    ["a position beyond its end", position, 130, null],
    ["a position below its end by rounding", position, -0.3, 0],
    ["a position the other way", closed, 30, 70],
    ["a position the other way beyond its end", closed, 255, null],
    ["mired", colour, 250, 4000],
    ["mired as text", colour, "250", 4000],
    ["no mired", colour, 0, null],
    ["a marker for mired", colour, 65535, null],
    ["a word", movement, "up", "opening"],
    ["an unlisted word", movement, "JAMMED", null],
    ["a listed word that means none elsewhere", words, "none", "none"],
    ["an unlisted word of an enumeration", words, "high", null],
    ["a text", text, "kitchen", "kitchen"],
    ["no text", text, "unavailable", null],
    ["a number for a text", text, 7, null],
    ["json", json, [1], [1]],
  ])("reads %s (%#)", ([, codec, raw, value]) => {
    expect(codec.read(raw)).toEqual(value);
  });

  test("writes in the words and units of the device", () => {
    expect(onOff.write?.(true)).toBe("ON");
    expect(milliamperes.write?.(0.12)).toBe(120);
    expect(level.write?.(0.1)).toBe(1);
    expect(closed.write?.(70)).toBe(30);
    expect(colour.write?.(4000)).toBe(250);
    expect(movement.write?.("opening")).toBe("UP");
  });
});
