/** Strange things to put where something else is expected: texts, JSON as it is written, parts of a URL, values of headers. */
import fc from "fast-check";

/** Repeats of one thing: what costs more than its length shows here. */
const many = (unit: string, max: number) => fc.integer({ min: 1, max }).map((times) => unit.repeat(times));
/** UTF-16 units, so that halves of characters come too. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((codes) => String.fromCharCode(...codes));

/** Text of any kind; `words` are IDs and aliases, whole and as parts of references. */
export function strangeText(words: readonly string[]): fc.Arbitrary<string> {
  const word = fc.constantFrom(...words);
  return fc.oneof(
    fc.constantFrom(
      "",
      " ",
      "\0",
      "a\0b",
      "\ud800",
      "\udc00x",
      "\ufeff",
      "\u202e",
      "toString",
      "__proto__",
      "NaN",
      "-1",
    ),
    word,
    fc
      .array(fc.oneof(word, fc.constant(""), fc.string({ maxLength: 8 })), { minLength: 2, maxLength: 20 })
      .map((parts) => parts.join(";")),
    word.map((text) => text.toUpperCase()),
    word.map((text) => `${text} `),
    fc.string({ unit: "binary", maxLength: 40 }),
    units,
    many("a", 100_000),
    many("e\u0301", 40_000),
    many("\ud83d\udd11", 30_000),
    many("a;", 600),
    many("%", 300),
    many(" ", 50_000),
    many("a@", 20_000),
    many(".", 20_000),
  );
}

/** JSON as it is written, which can state more than a value can: keys that stand twice, numbers past a double, any depth. */
export function strangeJson(words: readonly string[]): fc.Arbitrary<string> {
  const text = strangeText(words).map((each) => JSON.stringify(each));
  return fc.oneof(
    text,
    fc.constantFrom(
      "null",
      "true",
      "false",
      "0",
      "-0",
      "0.5",
      "-1",
      "9007199254740993",
      "1e308",
      "1e309",
      "-1e999",
      "1e-999",
    ),
    many("9", 2_000),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
    fc.constantFrom(
      "{}",
      "[]",
      '{"a":1,"a":2}',
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{"x":1}}}',
    ),
    fc.constantFrom(
      '{"__proto__":1,"__proto__":2}',
      '{"toString":1,"valueOf":null,"hasOwnProperty":[]}',
      '{"":{"":{"":0}}}',
    ),
    fc.integer({ min: 1, max: 3_000 }).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
    fc.integer({ min: 1, max: 3_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`),
    fc.tuple(text, fc.integer({ min: 1, max: 20_000 })).map(([each, times]) => manyOf(each, times)),
    fc
      .integer({ min: 1, max: 15_000 })
      .map((keys) => `{${Array.from({ length: keys }, (_, at) => `"${at}":${at}`).join(",")}}`),
    fc.json({ maxDepth: 4 }),
  );
}

/** A part of a path, or a value in a query, as it stands in the URL. */
export function strangeInUrl(words: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      "%",
      "%z",
      "%zz",
      "%2",
      "%C3%28",
      "%FF",
      "%00",
      "%ED%A0%80",
      "%F8%88%80%80%80",
      "%2F",
      "%2e%2e",
      "%25",
      "%0d%0a",
    ),
    strangeText(words).map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 14_000)),
    fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 20 }).map((parts) => parts.join("%3B")),
    many("%3B", 2_000),
    many("%F0%9F%94%91", 1_000),
  );
}

/** What a header can hold on the wire: no control characters but the tab. */
export function strangeHeader(words: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      "",
      " ",
      "*",
      '"',
      '""',
      'W/"1"',
      "=",
      ",",
      ";",
      ",,,,",
      "wait=",
      "wait=1e9",
      "wait=-1",
      "respond-async",
      "null",
    ),
    fc.constantFrom(...words),
    fc
      .array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 40 })
      .map((codes) => String.fromCharCode(...codes).replaceAll("\x7f", "")),
    many('"1",', 3_000),
    many(",", 10_000),
    many(" ", 10_000),
    many("a", 10_000),
    many('wait="', 2_000),
  );
}

/** As many as fit into the largest body. */
function manyOf(each: string, times: number): string {
  const fit = Math.max(1, Math.min(times, Math.floor(250_000 / (each.length + 1))));
  return `[${Array.from({ length: fit }, () => each).join(",")}]`;
}
