import { expect, test } from "vitest";
import { printable, printableLines, printableValue } from "./text.ts";

const HOSTILE = "a\u001b[2Jb\u009b1mc\nforged\rd\u202ee\u2066f\u200bg\u2028h\ufeff";
const FORBIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u;

test("nothing in a name moves a terminal's cursor, forges a row, turns text around or is invisible", () => {
  expect(printable(HOSTILE)).not.toMatch(FORBIDDEN);
  expect(printable(HOSTILE)).toContain("\\u001b[2J");
  expect(printable("Küche 👨‍👩‍👧")).toBe("Küche 👨‍👩‍👧");
});

test("of a value each text and key is printable, and what is no text stays", () => {
  const shown = printableValue({ [HOSTILE]: [HOSTILE, 1, null, true, { name: HOSTILE }] });
  expect(Object.keys(shown).join()).not.toMatch(FORBIDDEN);
  expect(Object.values(shown)).toEqual([[printable(HOSTILE), 1, null, true, { name: printable(HOSTILE) }]]);
});

test("what a program writes keeps its own lines", () => {
  expect(printableLines("a\tb\n\u001bc\n")).toBe("a\tb\n\\u001bc\n");
});
