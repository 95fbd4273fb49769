import { describe, expect, it } from "vitest";
import { normalAlias, readAlias } from "./references.ts";

describe("an alias", () => {
  it.each(["lamp", "Lampe am Küchentisch", "a b", "💡", "x".repeat(128), "💡".repeat(128), "env_short", "__proto__"])(
    "may be %j",
    (text) => expect(normalAlias(text)).toBe(text),
  );

  it.each([
    "",
    " lamp",
    "lamp ",
    "a;b",
    "a/b",
    "a?b",
    "a#b",
    "a%b",
    "a\nb",
    "a\0b",
    "a\u007fb",
    "\ud800",
    "x".repeat(129),
    "💡".repeat(129),
    "env_01h455vb4pex5vsknk084sn02q",
  ])("may not be %j", (text) => {
    expect(normalAlias(text)).toBeUndefined();
    expect(() => readAlias(text)).toThrow(expect.objectContaining({ name: "Alias Invalid" }));
  });

  it.each(["lamp\u202epmal", "la\u200bmp", "\u2066lamp", "la\ufeffmp", "la\u2028mp"])(
    "is not given with invisible characters or marks of direction, %j, and found if it was given before",
    (text) => {
      expect(() => readAlias(text)).toThrow(expect.objectContaining({ name: "Alias Invalid" }));
      expect(normalAlias(text)).toBe(text);
    },
  );

  it("may join emoji, as in a family", () => {
    expect(readAlias("👨\u200d👩\u200d👧")).toBe("👨\u200d👩\u200d👧");
  });

  it("is one alias in every spelling of its accents", () => {
    expect(normalAlias("ku\u0308che")).toBe("k\u00fcche");
  });
});
