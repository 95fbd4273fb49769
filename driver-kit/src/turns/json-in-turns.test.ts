import { randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { parseRawJson } from "../values/raw-json.ts";
import { JsonOutOfBounds, jsonInTurns, jsonLength } from "./json-in-turns.ts";
import { doneAtOnce } from "./loop-turns.ts";

const parsedBy = (parse: () => unknown) => {
  try {
    return { value: parse() };
  } catch {
    return "no JSON";
  }
};
const inSlices = (text: string, slice?: number) => parsedBy(() => doneAtOnce(jsonInTurns(text, slice)));
const atOnce = (text: string) => parsedBy(() => parseRawJson(text));

const TEXTS = [
  ...[
    "",
    " ",
    "1",
    '"a"',
    "null",
    " [ ] ",
    "{ }",
    "[[[]]]",
    '{"a":{"a":{"a":[]}}}',
    "[1,2,3]",
    ' { "a" : 1 , "b" : [ 2 , 3 ] } ',
  ],
  ...[
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    "[1]]",
    "[1}",
    "{]",
    "[{]}",
    "[1],[2]",
    "1 2",
    "[]x",
  ],
  ...[
    "{,}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1,,"b":2}',
    '{"a" 1}',
    "{a:1}",
    '{"a":1]',
    '{"a":1}}',
    '["a":1]',
    "{1:2}",
  ],
  ...['"', '["]"]', '["\\"]"]', '["\\\\"]', '["\\"]', '{"]":"}"}', '["a\\u0041b"]', '["é", "😀"]', "['a']", '["\n"]'],
  ...[
    '{"__proto__":{"x":1},"y":2}',
    '{"a":1,"a":2}',
    '{"2":1,"1":2}',
    "[NaN,1]",
    '{"a":nan,"b":-Infinity}',
    "[1e5, -0, 1.50]",
    "[01]",
  ],
];

describe("a JSON text that is parsed in slices", () => {
  test.for(TEXTS)("is the same as one that is parsed at once: %s", (text) => {
    for (const slice of [1, 2, 3, 5, 8, 1000]) expect([slice, inSlices(text, slice)]).toEqual([slice, atOnce(text)]);
  });

  test("is the same also when it is damaged anywhere", () => {
    const random = seededRandom(43);
    const whole = JSON.stringify({
      list: [1, "a,]}", { b: [], "c\\": { d: null } }, [[-2.5e3], true]],
      e: '"[{:',
      f: {},
    });
    for (let round = 0; round < 3000; round += 1) {
      const at = randomInteger(random, whole.length);
      const put = ["", ",", "]", "[", "}", "{", '"', "\\", ":", " ", "1"][randomInteger(random, 11)] ?? "";
      const text = whole.slice(0, at) + put + whole.slice(at + randomInteger(random, 3));
      const slice = 1 + randomInteger(random, 30);
      expect([text, slice, inSlices(text, slice)]).toEqual([text, slice, atOnce(text)]);
    }
  });

  test("lets the loop turn as often as its length asks for", () => {
    const list = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => ({ id: at, text: "x".repeat(80) })));
    const slices = [...jsonInTurns(list)];
    expect(slices.length).toBeGreaterThan(list.length / (64 * 1024));
    expect(Math.max(...slices)).toBeLessThan(500);
    expect(slices.reduce((a, b) => a + b)).toBeGreaterThan(list.length / 300);
  });

  test.for([
    ["a string", JSON.stringify(["a", "x".repeat(2_000_000)]), "a string in it is longer than 1048576 characters"],
    ["nesting", `[${"[".repeat(300)}${"]".repeat(300)}]`, "it is nested deeper than 200 levels"],
    ["an array", `[${"1,".repeat(150_000)}1]`, "an array in it has more than 100000 items"],
    [
      "an object",
      JSON.stringify(Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`k${at}`, at]))),
      "an object in it has more than 50000 members",
    ],
  ] as const)("has bounds that are named: %s", ([, text, problem]) => {
    expect(() => doneAtOnce(jsonInTurns(text))).toThrow(new JsonOutOfBounds(problem));
  });
});

test("the length of a value is counted up to a bound", () => {
  const value = { list: [1, "abc", { d: null }] };
  expect(Math.abs(jsonLength(value, 1000) - JSON.stringify(value).length)).toBeLessThan(15);
  expect(jsonLength({ list: Array.from({ length: 100_000 }, () => "abc") }, 1000)).toBe(1000);
});
