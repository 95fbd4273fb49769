/** When a node is dead to another: never by what a clock on the wall says. */
import { expect, test } from "vitest";
import { isProven, type Look, lookAtLeases, type NodeSign } from "./service-queries.ts";

const LEASE = 15_000;
const row = (id: string, lease_until: number): NodeSign => ({ id, lease_until, started_at: 0 });
const look = (before: Look | undefined, rows: NodeSign[], now: number) =>
  lookAtLeases(before?.seen, rows, "self", now, LEASE);
const dead = ({ dead }: Look) => dead.map(({ id }) => id);

test("a node is dead when its row has not changed for a whole lease", () => {
  const first = look(undefined, [row("a", 100)], 0);
  const later = look(first, [row("a", 100)], LEASE - 1);
  expect(dead(later)).toEqual([]);
  expect(dead(look(later, [row("a", 100)], LEASE))).toEqual(["a"]);
});

test("every renewal begins its lease anew, regardless of the time that it claims", () => {
  let seen = look(undefined, [row("a", 9_999_999)], 0);
  seen = look(seen, [row("a", -5)], 14_000);
  expect(dead(look(seen, [row("a", -5)], 28_999))).toEqual([]);
  expect(dead(look(seen, [row("a", -5)], 29_000))).toEqual(["a"]);
});

test("an observer that has just begun waits for a whole lease, however old the row is", () => {
  expect(dead(look(undefined, [row("a", 0)], 5_000_000))).toEqual([]);
});

test("a node is not its own observer, and one that has gone is forgotten", () => {
  const first = look(undefined, [row("self", 1), row("a", 1)], 0);
  expect([...first.seen.keys()]).toEqual(["a"]);
  expect([...look(first, [row("self", 1)], 1).seen.keys()]).toEqual([]);
});

const proven = ({ seen }: Look, id: string, lookedAt: number, now = lookedAt) =>
  isProven(seen, id, lookedAt, now, LEASE);

test("a node that was there before the observer is known to live once it has renewed", () => {
  const first = look(undefined, [row("a", 100)], 0);
  expect(proven(first, "a", 0)).toBe(false);
  const same = look(first, [row("a", 100)], 1_000);
  expect(proven(same, "a", 1_000)).toBe(false);
  expect(proven(look(same, [row("a", 101)], 2_000), "a", 2_000)).toBe(true);
});

test("a node that begins while the observer looks is known to live, before the next look too", () => {
  const first = look(undefined, [], 0);
  expect(proven(first, "a", 0, 500)).toBe(true);
  const second = look(first, [row("a", 100)], 1_000);
  expect(second.hasNew).toBe(true);
  expect(proven(second, "a", 1_000)).toBe(true);
});

test("an observer that could not look for a lease knows of no node that it lives", () => {
  const first = look(undefined, [], 0);
  const second = look(first, [row("a", 100)], 1_000);
  expect([proven(second, "a", 1_000, 1_000 + LEASE), proven(second, "b", 1_000, 1_000 + LEASE)]).toEqual([
    false,
    false,
  ]);
  expect(isProven(undefined, "a", 0, 0, LEASE)).toBe(false);
});
