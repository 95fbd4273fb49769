import { describe, expect, it } from "vitest";
import { JsonFault, readJson } from "./json-text.ts";

const fault = (text: string, levels = 32) => {
  try {
    return readJson(text, levels);
  } catch (error) {
    return error instanceof JsonFault ? `${error.line}: ${error.message}` : error;
  }
};

describe("typed JSON", () => {
  it.each([
    "{}",
    "[]",
    ' {"a": [1, -0.5e3, true, false, null, "x\\n\\u00e9\\"\\\\/"], "b": {"": {}}} \n',
    '{"__proto__": {"x": 1}, "constructor": 2}',
    '"💡"',
  ])("is read as everybody reads it: %s", (text) => {
    const value = readJson(text, 32);
    expect(value).toEqual(JSON.parse(text));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.hasOwn({}, "x")).toBe(false);
  });

  it.each([
    ["", "1: The text ends before the value is complete."],
    ['{\n  "a": 1,\n  "b": x\n}', "3: A value is missing."],
    ['{\n  "a": 1\n  "b": 2\n}', '3: A comma or "}" is missing.'],
    ['{\n  "a": 1,\n}', "3: A key in quotation marks after the comma is missing."],
    ["{a: 1}", '1: A key in quotation marks or "}" is missing.'],
    ['{"a" 1}', '1: A colon is missing after the key "a".'],
    ['{"a": "x\n"}', "1: This string is not closed on its line, or has one backslash too many."],
    ['{"a": "\\x"}', "1: This string is not closed on its line, or has one backslash too many."],
    ["[1 2]", '1: A comma or "]" is missing.'],
    ['{"a": 01}', '1: A comma or "}" is missing.'],
    ["{} {}", "1: There is text after the end of the value."],
    ['{\n"a": 1,\n"a": 2}', '3: The key "a" is given twice.'],
    ['{"a": 1e999}', "1: This number is too large."],
  ])("%j is refused with its line", (text, message) => expect(fault(text)).toBe(message));

  it("is refused when it is nested too deep, however deep that is", () => {
    expect(fault("[[]]", 2)).toEqual([[]]);
    expect(fault("[[[]]]", 2)).toBe("1: The value is nested more than 2 levels deep.");
    expect(fault("[".repeat(200_000))).toBe("1: The value is nested more than 32 levels deep.");
  });
});
