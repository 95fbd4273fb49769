/** Strings that somebody might put into a name to break a page, or whoever looks at it. */

/** Sets a mark in the page when it is carried out. */
const MARK = "window.carriedOut=1";

/** As long as an alias may be, in one word. */
const LONG = "W".repeat(128);

/** Legal aliases: none of `; / ? # %`, at most 128 code points. */
const ALIASES: readonly string[] = [
  `<img src=x onerror=${MARK}>`,
  `"><svg onload=${MARK}>`,
  "\u202Eevil\u202C\u2066right\u2069",
  "👩‍👩‍👧‍👦🏳️‍🌈🇺🇳‍🧑🏽‍🚀",
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
  "{{constructor.constructor('window.carriedOut=1')()}}",
  `' onmouseover=${MARK} x='`,
  LONG,
];

/** For fields that take anything. */
export const TEXT = `</script><script>${MARK}</script><iframe srcdoc="<script>parent.${MARK}</script>"></iframe>${LONG}`;

/** An alias of its own for each thing that is named: aliases are unique. */
export function aliasMaker(): () => string {
  let count = 0;
  return () => {
    const alias = ALIASES[count % ALIASES.length] ?? "";
    count++;
    return [...alias].slice(0, 124).join("").trimEnd() + String(count);
  };
}

/** Close to 64 KiB, in keys and values, deep and wide. */
export function hostileMeta(): Record<string, unknown> {
  const deep: Record<string, unknown> = {};
  let at = deep;
  for (let level = 0; level < 25; level++) {
    const next: Record<string, unknown> = {};
    at[`<b onclick=${MARK}>`] = next;
    at = next;
  }
  return {
    "$.name": `<img src=x onerror=${MARK}>${"名".repeat(300)}`,
    "$.manufacturer": "\u202Ereversed",
    [`"><script>${MARK}</script>`]: TEXT,
    constructor: "own",
    toString: null,
    deep,
    long: "x".repeat(50_000),
    many: Array.from({ length: 300 }, (_, index) => ({ [`k${index}`]: "é" })),
  };
}
