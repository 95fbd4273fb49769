/** Jinja's filters of lists. Texts are compared case-insensitively, unless `case_sensitive` is set. */
import type { Filter, Given } from "./arguments.ts";
import { binary } from "./arithmetic.ts";
import { boundedList, checkLength } from "./budget.ts";
import { textOf } from "./format.ts";
import {
  type Arguments,
  type Data,
  isKey,
  isList,
  isTrue,
  itemsOf,
  keyOf,
  order,
  TemplateError,
  typeName,
  Undefined,
} from "./python-values.ts";
import { passesTest } from "./value-tests.ts";

type ApplyFilter = (name: string, of: Data, args: Arguments) => Data;

/** Numbers of members that are looked up, and of comparisons, in one step. */
const MEMBERS_IN_STEP = 16;
const COMPARED_IN_STEP = 32;

/** @param apply applies a filter by its name, for `map` */
export function listFilters(apply: ApplyFilter): Readonly<Record<string, Filter>> {
  return {
    first: (of) => itemAt(of, 0),
    last: (of) => itemAt(of, -1),
    length: (of) => itemsOf(of).length,
    join: (of, given) => joinedTexts(parts(of, given.get(1, "attribute"), given), given.text(0, "d", "")),
    items: (of) => pairsOf(of),
    min: (of, given) => extreme(of, given, -1),
    max: (of, given) => extreme(of, given, 1),
    sum: (of, given) =>
      parts(of, given.get(0, "attribute"), given).reduce<Data>(
        (sum, each) => given.budget.weigh(binary("+", sum, each)),
        given.get(1, "start") ?? 0,
      ),
    sort: (of, given) => {
      const key = keyFor(given, 1, given.get(2, "attribute"));
      const sign = given.flag(0, "reverse") ? -1 : 1;
      const items = itemsOf(of).map((item) => ({ item, key: key(item) }));
      // Each item is compared with several others.
      given.budget.step(Math.floor((items.length * Math.log2(items.length + 1)) / COMPARED_IN_STEP));
      return items.sort((a, b) => sign * order(a.key, b.key)).map(({ item }) => item);
    },
    unique: (of, given) => {
      const key = keyFor(given, 0, given.get(1, "attribute"));
      const byKey = new Map<unknown, Data>();
      for (const item of itemsOf(of)) {
        const itemKey = keyOf(key(item));
        if (!byKey.has(itemKey)) byKey.set(itemKey, item);
      }
      return [...byKey.values()];
    },
    reverse: (of) => (typeof of === "string" ? [...of].reverse().join("") : [...itemsOf(of)].reverse()),
    // Maps each item by a filter (`map('int')`), or to a member (`map(attribute='x')`).
    map: (of, given) => {
      const attribute = given.named("attribute");
      const otherwise = given.named("default");
      if (attribute !== undefined) {
        const found = attributesOf(someItems(of), attribute, given);
        return found.map((each) => (each instanceof Undefined && otherwise !== undefined ? otherwise : each));
      }
      const name = given.text(0, "filter");
      return someItems(of).map((item) => given.budget.weigh(apply(name, item, given.following(1))));
    },
    select: (of, given) => picked(of, given, 0, true),
    reject: (of, given) => picked(of, given, 0, false),
    selectattr: (of, given) => picked(of, given, 1, true),
    rejectattr: (of, given) => picked(of, given, 1, false),
  };
}

/** The items that `map` and `select` process: an empty or false value counts as an empty list. */
function someItems(of: Data): readonly Data[] {
  return isTrue(of) ? itemsOf(of) : [];
}

/** @param testAt position of the test's name; the argument before it names the member that is tested */
function picked(of: Data, given: Given, testAt: 0 | 1, keeps: boolean): readonly Data[] {
  const attribute = testAt === 1 ? given.need(0, "attribute") : undefined;
  const test = given.get(testAt);
  const args = given.following(testAt + 1);
  const path = attribute === undefined ? undefined : pathOf(attribute);
  return someItems(of).filter((item) => {
    given.budget.step();
    const part = path === undefined ? item : memberOn(path, item, given);
    return keeps === (test === undefined ? isTrue(part) : passesTest(textOf(test), part, args));
  });
}

function parts(of: Data, attribute: Data | undefined, given: Given): readonly Data[] {
  const items = itemsOf(of);
  return attribute === undefined || attribute === null ? items : attributesOf(items, attribute, given);
}

function attributesOf(items: readonly Data[], attribute: Data, given: Given): Data[] {
  const path = pathOf(attribute);
  return items.map((item) => memberOn(path, item, given));
}

/** The path of a member in an item: its name, its index, or several of these with dots between. */
function pathOf(attribute: Data): readonly Data[] {
  if (typeof attribute !== "string") return [attribute];
  return attribute.split(".").map((name) => (/^\d+$/.test(name) ? Number(name) : name));
}

function memberOn(path: readonly Data[], item: Data, { budget }: Given): Data {
  if (path.length > MEMBERS_IN_STEP) budget.step(Math.floor(path.length / MEMBERS_IN_STEP));
  return path.reduce<Data>((of, name) => {
    const found = memberAt(of, name);
    return found === undefined ? new Undefined(textOf(name)) : found;
  }, item);
}

function memberAt(of: Data, key: Data): Data | undefined {
  if (of instanceof Map) return isKey(key) ? of.get(keyOf(key)) : undefined;
  return isList(of) && typeof key === "number" ? of.at(key) : undefined;
}

/**
 * Returns the sort key of an item.
 * @param caseAt position of the argument for case-sensitive comparison
 */
function keyFor(given: Given, caseAt: number, attribute: Data | undefined): (item: Data) => Data {
  const isCaseSensitive = given.flag(caseAt, "case_sensitive");
  const path = attribute === undefined || attribute === null ? undefined : pathOf(attribute);
  return (item) => {
    const part = path === undefined ? item : memberOn(path, item, given);
    return typeof part === "string" && !isCaseSensitive ? part.toLowerCase() : part;
  };
}

function itemAt(of: Data, place: number): Data {
  const found = itemsOf(of).at(place);
  return found === undefined ? new Undefined("item of an empty list") : found;
}

/** @param sign of the order in which a better item stands to a worse one: -1 for the minimum, 1 for the maximum */
function extreme(of: Data, given: Given, sign: 1 | -1): Data {
  const [first, ...others] = itemsOf(of);
  if (first === undefined) return new Undefined("item of an empty list");
  const key = keyFor(given, 0, given.get(1, "attribute"));
  return others.reduce((best, each) => (order(key(each), key(best)) * sign > 0 ? each : best), first);
}

function joinedTexts(items: readonly Data[], separator: string): string {
  const texts = items.map(textOf);
  checkLength(texts.reduce((length, text) => length + text.length, separator.length * Math.max(0, texts.length - 1)));
  return texts.join(separator);
}

function pairsOf(of: Data): readonly Data[] {
  if (of instanceof Undefined) return [];
  if (!(of instanceof Map)) throw new TemplateError(`items takes a dict, not ${typeName(of)}`);
  return boundedList([...of].map(([key, value]) => [key, value]));
}
