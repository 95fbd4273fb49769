/** When a node is dead to another: never by what a clock on the wall says. */
import { expect, test } from "vitest";
import { type Look, lookAtLeases, type NodeSign } from "./lease-watch.ts";

const LEASE = 15_000;
const row = (id: string, lease_until: number): NodeSign => ({ id, lease_until, started_at: 0 });
const look = (before: Look | undefined, rows: NodeSign[], now: number) =>
  lookAtLeases(before?.seen ?? new Map(), rows, "self", now, LEASE);
const dead = ({ dead }: Look) => dead.map(({ id }) => id);

test("a node is dead when its row has not changed for a whole lease", () => {
  const first = look(undefined, [row("a", 100)], 0);
  const later = look(first, [row("a", 100)], LEASE - 1);
  expect(dead(later)).toEqual([]);
  expect(dead(look(later, [row("a", 100)], LEASE))).toEqual(["a"]);
});

test("every renewal begins its lease anew, whatever time the renewal claims", () => {
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
