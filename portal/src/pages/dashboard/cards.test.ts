/** What is kept of a dashboard, and that no change undoes another's: against metadata that is made up. */
import { PorchlightError } from "@porchlight/sdk";
import { describe, expect, test } from "vitest";
import {
  added,
  changeDashboard,
  DASHBOARD_KEY,
  type Dashboard,
  type DashboardChange,
  dashboardOf,
  edited,
  LONGEST_TITLE,
  MOST_CARDS,
  movedTo,
  type PinnedCard,
  ranged,
  withDashboard,
  without,
} from "./cards.ts";

const target = { deviceId: "dev_1", service: "Temperature", index: "0", property: "celsius" };
const card = (id: string, more: Partial<PinnedCard> = {}): PinnedCard => ({
  id,
  kind: "value",
  size: "small",
  properties: [target],
  ...more,
});
const ids = (cards: readonly PinnedCard[]) => cards.map(({ id }) => id).join("");
const abc = [card("a"), card("b"), card("c")];
const board = (cards: readonly PinnedCard[]): Dashboard => ({ cards, unread: [] });
const after = (change: DashboardChange, cards: readonly PinnedCard[] = abc) => change(board(cards)).cards;

describe("what is read", () => {
  test("is what was written, beside all other metadata", () => {
    const cards = [card("a", { kind: "chart", size: "wide", length: 3_600_000 }), card("b")];
    const meta = withDashboard({ "$.name": "Home", other: 1 }, { cards, unread: [] });
    expect(dashboardOf(meta)).toEqual({ cards, unread: [] });
    expect(meta).toMatchObject({ "$.name": "Home", other: 1 });
  });

  test("is a title and a time of its own, and the time of all other charts", () => {
    const cards = [card("a", { kind: "chart", title: "Kitchen", length: 3_600_000 }), card("b")];
    const meta = withDashboard({}, { cards, unread: [], length: 604_800_000 });
    expect(dashboardOf(meta)).toEqual({ cards, unread: [], length: 604_800_000 });
  });

  test.each<[string, Record<string, unknown>, Partial<PinnedCard>]>([
    ["blanks around a title go", { title: "  Kitchen\n" }, { title: "Kitchen" }],
    ["a title of blanks is none", { title: " \t" }, {}],
    ["a title that is too long is none", { title: "x".repeat(LONGEST_TITLE + 1) }, {}],
    ["a title that is no text is none", { title: { toString: "x" } }, {}],
    ["a time that is too short is none", { length: 1 }, {}],
    ["a time that is no number is none", { length: "3600000" }, {}],
  ])("%s, and the card stays", (_, given, expected) => {
    const read = dashboardOf({ [DASHBOARD_KEY]: { cards: [{ ...card("a"), ...given }] } });
    expect(read).toEqual({ cards: [card("a", expected)], unread: [] });
  });

  test("has no time of the dashboard that could not be drawn", () => {
    for (const length of [1, Number.NaN, "1", 1e15])
      expect(dashboardOf({ [DASHBOARD_KEY]: { cards: [card("a")], length } })).toEqual(board([card("a")]));
  });

  test("leaves no key behind when it is empty", () => {
    expect(withDashboard({ [DASHBOARD_KEY]: { cards: [] }, a: 1 }, { cards: [], unread: [] })).toEqual({ a: 1 });
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a text", "cards"],
    ["a list", [1]],
    ["no list of cards", { cards: { a: 1 } }],
  ])("of %s is an empty dashboard", (_, kept) => {
    expect(dashboardOf({ [DASHBOARD_KEY]: kept })).toEqual({ cards: [], unread: [] });
  });

  test.each<[string, unknown]>([
    ["of another kind", { ...card("x"), kind: "picture" }],
    ["without properties", { ...card("x"), properties: [] }],
    ["with one that is none", { ...card("x"), properties: [target, { deviceId: "dev_1" }] }],
    ["whose device would be another address", { ...card("x"), properties: [{ ...target, deviceId: "../x" }] }],
    ["whose id is no name", { ...card("x"), id: "<b>" }],
    ["null", null],
  ])("has a card %s only to be written back as it was", (_, odd) => {
    const read = dashboardOf({ [DASHBOARD_KEY]: { version: 9, cards: [odd, card("a")] } });
    expect(read).toEqual({ cards: [card("a")], unread: [odd] });
    expect(dashboardOf(withDashboard({}, read)).unread).toEqual([odd]);
  });

  test("of two cards with one id it has the first", () => {
    expect(dashboardOf({ [DASHBOARD_KEY]: { cards: [card("a"), card("a", { size: "full" })] } }).cards).toEqual([
      card("a"),
    ]);
  });
});

test.each([
  ["a", "c", "bca"],
  ["c", "a", "cab"],
  ["b", "b", "abc"],
  ["x", "a", "abc"],
  ["a", "x", "abc"],
] as const)("%s moved to the place of %s", (id, place, expected) => {
  expect(ids(after(movedTo(id, place)))).toBe(expected);
});

test("a card is added once, removed and edited", () => {
  expect(ids(after(added(card("d"))))).toBe("abcd");
  expect(ids(after(added(card("a"), card("d"), card("e"))))).toBe("abcde");
  expect(after(added(card("a")))).toBe(abc);
  expect(ids(after(without("b")))).toBe("ac");
  expect(after(edited("b", { size: "full" }))[1]).toEqual(card("b", { size: "full" }));
  const own = after(edited("b", { title: "Mine", length: 60_000 }));
  expect(own[1]).toEqual(card("b", { title: "Mine", length: 60_000 }));
  const meta = withDashboard({}, edited("b", { title: undefined, length: undefined })(board(own)));
  expect(dashboardOf(meta).cards).toEqual(abc);
  expect(JSON.stringify(meta)).not.toMatch(/title|length/);
});

test("the time of the dashboard is changed, and the same again is no change", () => {
  const one = board(abc);
  expect(ranged(60_000)(one)).toEqual({ ...one, length: 60_000 });
  const set = ranged(60_000)(one);
  expect(ranged(60_000)(set)).toBe(set);
});

describe("a change", () => {
  /** Metadata that another client changes before the first write. */
  function source(first: readonly PinnedCard[], meanwhile?: readonly PinnedCard[]) {
    let meta = withDashboard({ kept: true }, { cards: first, unread: [] });
    let version = 1;
    return {
      meta: () => meta,
      getTagged: async () => ({ value: { meta }, etag: String(version) }),
      update: async (
        _: string,
        body: { readonly meta: Readonly<Record<string, unknown>> },
        { ifMatch }: { readonly ifMatch?: string | undefined },
      ) => {
        if (meanwhile && version === 1) {
          meta = withDashboard(meta, { cards: meanwhile, unread: [] });
          version += 1;
        }
        if (ifMatch !== String(version)) throw new PorchlightError("Precondition Failed", "", { status: 412 });
        meta = body.meta;
        version += 1;
        return String(version);
      },
    };
  }

  test("is of what is there when it is written", async () => {
    const home = source(abc, [card("c"), card("a"), card("z")]);
    await changeDashboard(home, "env_1", added(card("d")));
    expect(ids(dashboardOf(home.meta()).cards)).toBe("cazd");
    expect(home.meta()).toMatchObject({ kept: true });
  });

  test("to more than there may be is refused, and a smaller one of too many is not", async () => {
    const many = Array.from({ length: MOST_CARDS + 1 }, (_, at) => card(`c${at}`));
    await expect(changeDashboard(source(many.slice(1)), "env_1", added(card("d")))).rejects.toThrow("at most");
    await changeDashboard(source(many), "env_1", without("c0"));
  });
});
