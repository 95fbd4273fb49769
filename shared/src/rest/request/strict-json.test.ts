import { describe, expect, it } from "vitest";
import { parseStrictJson as parseBytes } from "./body.ts";

const parseStrictJson = (text: string, mostValues?: number) => parseBytes(Buffer.from(text), mostValues);

const refused = (name: string, pointer: string) =>
  expect.objectContaining({ name, errors: [expect.objectContaining({ pointer })] });

describe("strict JSON", () => {
  it.each([
    "{}",
    '{"value":120}',
    '[1,2.5e-3,"a",null,true,{"a":[{}]}]',
    '"a:b\\"c:{"',
    '{"a:b":"c\\\\","d":{"a:b":1}}',
    '{"__proto__":{"__proto__":1},"":0}',
    '[{"a":1},{"a":2}]',
    '["\\ud83c\\udfee","\\\\u0000","\\\\ud800"]',
    // 2^53, and integers past it that come back as they were written.
    "[9007199254740992,-9007199254740994,100000000000000000000,123456789012345680000]",
    "[1.7976931348623157e308,5e-323,1e-323,0e-999,0.0000000000000000000000001,0.12345678901234567890,-0]",
    '{"id":"0e-12345678901234567890123456789"}',
  ])("takes %s", (text) => {
    const parsed = parseStrictJson(text);
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each([
    ['{"a":1,"a":1}', "Body Parameters Invalid", "/a"],
    ['{"a":1,"\\u0061":2}', "Body Parameters Invalid", "/a"],
    ['{"x":[0,{"b/c":1,"b/c":2}]}', "Body Parameters Invalid", "/x/1/b~1c"],
    ['{"__proto__":1,"__proto__":2}', "Body Parameters Invalid", "/__proto__"],
    ['{"value":1e999}', "Body Parameters Invalid", "/value"],
    ['{"alias":"a","meta":{"k":[-1e999]}}', "Metadata Format Invalid", "/meta/k/0"],
    ['{"meta":{"k":1,"k":2}}', "Metadata Format Invalid", "/meta/k"],
    ['{"meta":1,"meta":2}', "Metadata Format Invalid", "/meta"],
    ['{"value":9007199254740993}', "Body Parameters Invalid", "/value"],
    ['{"value":-9007199254740993.0}', "Body Parameters Invalid", "/value"],
    ['{"value":1000000000000000000000001}', "Body Parameters Invalid", "/value"],
    ['{"value":[0,1e-324]}', "Body Parameters Invalid", "/value/1"],
    [`{"value":-0.${"0".repeat(330)}1}`, "Body Parameters Invalid", "/value"],
    ['{"meta":{"k":{"n":18446744073709551615}}}', "Metadata Format Invalid", "/meta/k/n"],
    ['{"name":"a\\u0000b"}', "Body Parameters Invalid", "/name"],
    ['{"value":["\\ud800",{}]}', "Body Parameters Invalid", "/value/0"],
    ['{"value":["\\udfee\\ud83c"]}', "Body Parameters Invalid", "/value/0"],
    ['{"items":[{"a\\u0000":1}]}', "Body Parameters Invalid", "/items/0"],
    ['{"meta":{"k":{"\\uDFFF":1}}}', "Metadata Format Invalid", "/meta/k"],
    ['{"alias":"\\u0000"}', "Alias Invalid", "/alias"],
  ])("refuses %s as %s at %s", (text, name, pointer) => {
    expect(() => parseStrictJson(text)).toThrow(refused(name, pointer));
  });

  it("refuses what is nested deeper than anything is, and survives it", () => {
    const deep = (key: string) => `{"${key}":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(() => parseStrictJson(deep("value"))).toThrow(expect.objectContaining({ name: "Body Parameters Invalid" }));
    expect(() => parseStrictJson(deep("meta"))).toThrow(expect.objectContaining({ name: "Metadata Format Invalid" }));
  });

  it("refuses what holds more values than anything does, wherever they stand, before it makes objects of them", () => {
    const many = (count: number, value: string) => Array.from({ length: count }, () => value).join(",");
    const members = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":{}`).join(",");
    expect(parseStrictJson(`[${many(9_998, "0")}]`)).toHaveLength(9_998);
    expect(Object.keys(parseStrictJson(`{${members(4_999)}}`) as object)).toHaveLength(4_999);
    for (const text of [`[${many(10_001, "0")}]`, `{${members(5_001)}}`, `{"meta":1,"value":[${many(10_001, "[]")}]}`])
      expect(() => parseStrictJson(text)).toThrow(refused("Body Parameters Invalid", ""));
    expect(() => parseStrictJson(`{"value":1,"meta":{${members(5_001)}}}`)).toThrow(
      refused("Metadata Format Invalid", "/meta"),
    );
    expect(() => parseStrictJson('{"a":1,"b":2,"c":3}', 3)).toThrow(refused("Body Parameters Invalid", ""));
    expect(parseStrictJson('{"a":1,"b":",,,{{{[["}', 3)).toEqual({ a: 1, b: ",,,{{{[[" });
    // It stops there: what comes after has never been looked at.
    expect(() => parseStrictJson(`[${many(10_001, "0")}, this is no JSON`)).toThrow(/10000 values/);
  });

  it.each(['"', '"\\\\', '{"a', '{"a":1,"a":1', "]]]]", '{"a":1}}', "[1,,2]", '{"a":"\\u00"}'])(
    "does not take the broken %s for JSON",
    (text) => expect(() => parseStrictJson(text)).toThrow(SyntaxError),
  );

  it.each(["", "{", "{'a':1}", '{"a":1,}', "NaN"])("does not take %j for JSON", (text) => {
    expect(() => parseStrictJson(text)).toThrow(SyntaxError);
  });
});
