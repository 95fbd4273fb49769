/** Methods of texts, lists and dictionaries, by their Python names. */
import { asText, Given } from "./arguments.ts";
import { boundedList, boundedText } from "./budget.ts";
import { type Arguments, Callable, type Data, isList, keyOf } from "./python-values.ts";

type Method<Of> = (of: Of, given: Given) => Data;

const OF_TEXT: Readonly<Record<string, Method<string>>> = {
  split: (text, given) => {
    const separator = given.get(0, "sep");
    const most = given.integer(1, "maxsplit", -1);
    if (separator === undefined || separator === null) return boundedList(text.trim().split(/\s+/).filter(Boolean));
    const parts = text.split(asText("split", separator));
    if (most < 0 || parts.length <= most + 1) return boundedList(parts);
    return [...parts.slice(0, most), parts.slice(most).join(asText("split", separator))];
  },
  replace: (text, given) => boundedText(replaced(text, given.text(0, "old"), given.text(1, "new"))),
  strip: (text, given) => stripped(text, given.get(0), true, true),
  lstrip: (text, given) => stripped(text, given.get(0), true, false),
  rstrip: (text, given) => stripped(text, given.get(0), false, true),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text) => titled(text),
  capitalize: (text) => capitalized(text),
  startswith: (text, given) => text.startsWith(given.text(0, "prefix")),
  endswith: (text, given) => text.endsWith(given.text(0, "suffix")),
  find: (text, given) => text.indexOf(given.text(0, "sub")),
  count: (text, given) => text.split(given.text(0, "sub")).length - 1,
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
  index: (list, given) => list.indexOf(given.need(0)),
  count: (list, given) => list.filter((each) => each === given.need(0)).length,
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

/** Every occurrence; `old` may be empty, as in Python. */
export function replaced(text: string, old: string, by: string): string {
  return text.split(old).join(by);
}

export function titled(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[^\p{L}])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).toLowerCase()}`;
}

/** @param characters that are taken away; white space when left out */
export function stripped(text: string, characters: Data | undefined, start: boolean, end: boolean): string {
  const isAway =
    characters === undefined || characters === null
      ? (character: string) => /\s/.test(character)
      : (character: string) => asText("strip", characters).includes(character);
  let [from, to] = [0, text.length];
  while (start && from < to && isAway(text[from] ?? "")) from += 1;
  while (end && to > from && isAway(text[to - 1] ?? "")) to -= 1;
  return text.slice(from, to);
}

function joined(of: Data, separator: string): string {
  const items = isList(of) ? of : [...asText("join", of)];
  return items.map((item) => asText("join", item)).join(separator);
}
