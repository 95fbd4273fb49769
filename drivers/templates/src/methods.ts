/** Methods of texts, lists and dictionaries, by their Python names. */
import { asText, Given } from "./arguments.ts";
import { boundedList, boundedText, checkLength } from "./budget.ts";
import { type Arguments, Callable, type Data, isEqual, isList, keyOf, TemplateError } from "./python-values.ts";

type Method<Of> = (of: Of, given: Given) => Data;

const OF_TEXT: Readonly<Record<string, Method<string>>> = {
  split,
  replace: (text, given) => replaced(text, given.text(0, "old"), given.text(1, "new"), given.get(2, "count")),
  strip: (text, given) => stripped(text, given.get(0), true, true),
  lstrip: (text, given) => stripped(text, given.get(0), true, false),
  rstrip: (text, given) => stripped(text, given.get(0), false, true),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text) => titled(text),
  capitalize: (text) => capitalized(text),
  startswith: (text, given) => someOf(given).some((each) => text.startsWith(asText("startswith", each))),
  endswith: (text, given) => someOf(given).some((each) => text.endsWith(asText("endswith", each))),
  find: (text, given) => {
    const at = text.indexOf(given.text(0, "sub"));
    // Counted in characters, as in Python.
    return at < 0 ? at : [...text.slice(0, at)].length;
  },
  count: (text, given) => {
    const part = given.text(0, "sub");
    return part === "" ? [...text].length + 1 : text.split(part).length - 1;
  },
  join: (text, given) => boundedText(joined(given.need(0), text)),
  isdigit: (text) => /^\d+$/.test(text),
  isnumeric: (text) => /^\d+$/.test(text),
};

const OF_DICT: Readonly<Record<string, Method<Map<string | number | boolean | null, Data>>>> = {
  get: (dict, given) => {
    const found = dict.get(keyOf(given.need(0, "key")));
    return found === undefined ? (given.get(1, "default") ?? null) : found;
  },
  items: (dict) => [...dict].map(([key, value]) => [key, value]),
  keys: (dict) => [...dict.keys()],
  values: (dict) => [...dict.values()],
};

const OF_LIST: Readonly<Record<string, Method<readonly Data[]>>> = {
  index: (list, given) => {
    const at = list.findIndex((each) => isEqual(each, given.need(0)));
    if (at < 0) throw new TemplateError("index does not find the item");
    return at;
  },
  count: (list, given) => list.filter((each) => isEqual(each, given.need(0))).length,
};

/** A method of this value; undefined when it has none of that name. */
export function methodOf(of: Data, name: string): Callable | undefined {
  if (typeof of === "string") return bound(OF_TEXT, of, name);
  if (of instanceof Map) return bound(OF_DICT, of, name);
  return isList(of) ? bound(OF_LIST, of, name) : undefined;
}

function bound<Of>(methods: Readonly<Record<string, Method<Of>>>, of: Of, name: string): Callable | undefined {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return method && new Callable(name, (args: Arguments) => method(of, new Given(name, args)));
}

/** Splits at white space, or at a separator. */
export function split(text: string, given: Given): Data {
  const separator = given.get(0, "sep");
  const most = given.integer(1, "maxsplit", -1);
  if (separator === undefined || separator === null) {
    const words = text.trim().split(/\s+/).filter(Boolean);
    if (most < 0 || words.length <= most + 1) return boundedList(words);
    let rest = text.trimStart();
    for (let n = 0; n < most; n += 1) rest = rest.slice(rest.search(/\s/)).trimStart();
    return boundedList([...words.slice(0, most), rest]);
  }
  const by = asText("split", separator);
  if (by === "") throw new TemplateError("split takes a separator that is not empty");
  const parts = text.split(by);
  if (most < 0 || parts.length <= most + 1) return boundedList(parts);
  return boundedList([...parts.slice(0, most), parts.slice(most).join(by)]);
}

/** One text, or a list of alternatives. */
function someOf(given: Given): readonly Data[] {
  const asked = given.need(0);
  return isList(asked) ? asked : [asked];
}

/**
 * Replaces the first `count` occurrences, or all. An empty `old` matches between all characters, as in Python.
 * @throws TemplateError before the text gets too long
 */
export function replaced(text: string, old: string, by: string, count?: Data): string {
  const most = typeof count === "number" && count >= 0 ? count : Number.POSITIVE_INFINITY;
  const parts = old === "" ? ["", ...text, ""] : text.split(old);
  const times = Math.min(most, parts.length - 1);
  checkLength(text.length + times * (by.length - old.length));
  if (times === parts.length - 1) return parts.join(by);
  const rest = parts.slice(times).join(old);
  return times === 0 ? rest : `${parts.slice(0, times).join(by)}${by}${rest}`;
}

function titled(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[^\p{L}])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).toLowerCase()}`;
}

/** @param characters to remove; white space by default */
export function stripped(text: string, characters: Data | undefined, start: boolean, end: boolean): string {
  if (characters === undefined || characters === null) {
    if (start && end) return text.trim();
    return start ? text.trimStart() : text.trimEnd();
  }
  const away = new Set(asText("strip", characters).split(""));
  const isAway = (character: string) => away.has(character);
  let [from, to] = [0, text.length];
  while (start && from < to && isAway(text[from] ?? "")) from += 1;
  while (end && to > from && isAway(text[to - 1] ?? "")) to -= 1;
  return text.slice(from, to);
}

function joined(of: Data, separator: string): string {
  const items = isList(of) ? of : [...asText("join", of)];
  return items.map((item) => asText("join", item)).join(separator);
}
