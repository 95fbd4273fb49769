/** Which keys lead where. */
import { expect, test } from "vitest";
import { meaningOf, PAGE_KEYS, SEQUENCE_MS } from "./places.ts";

const press = (key: string, more: { at?: number; isModified?: boolean; isTaken?: boolean } = {}) => ({
  ...{ key, at: 0, isModified: false, isTaken: false },
  ...more,
});

test("g and then a page's key lead to the page", () => {
  expect(meaningOf(press("g"), undefined)).toEqual({ kind: "begun", at: 0 });
  expect(meaningOf(press("d", { at: 100 }), 0)).toMatchObject({ kind: "page", page: { label: "Devices" } });
  expect(meaningOf(press("d"), undefined)).toEqual({ kind: "none" });
});

test("a key that comes too late, or is no page's, leads nowhere", () => {
  expect(meaningOf(press("d", { at: SEQUENCE_MS + 1 }), 0)).toEqual({ kind: "none" });
  expect(meaningOf(press("x", { at: 1 }), 0)).toEqual({ kind: "none" });
});

test("what is typed, and what is pressed with Ctrl, is not for the page", () => {
  expect(meaningOf(press("d", { isTaken: true }), 0)).toEqual({ kind: "none" });
  expect(meaningOf(press("?", { isModified: true }), undefined)).toEqual({ kind: "none" });
  expect(meaningOf(press("?"), undefined)).toEqual({ kind: "help" });
});

test("each page has a key of its own", () => {
  expect(new Set(PAGE_KEYS.map(({ key }) => key)).size).toBe(PAGE_KEYS.length);
});
