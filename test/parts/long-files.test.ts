/** The long test files are there, and are started so that no worker waits for the last one, nor two browsers for each other. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONG_FILES, type LongFile, startingOrder } from "./long-files.ts";
import { ROOT } from "./program.ts";

const file = (path: string, seconds: number, hasBrowser = false): LongFile => ({ path, seconds, hasBrowser });
const order = (files: readonly LongFile[], workers: number) => startingOrder(files, workers).map(({ path }) => path);

test("every long file that is named exists", () => {
  expect(LONG_FILES.map(({ path }) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the longest is started first, and each of them once", () => {
  expect(order([file("short", 1), file("long", 9), file("middle", 5)], 2)).toEqual(["long", "middle", "short"]);
  expect(order(LONG_FILES, 2).toSorted()).toEqual(LONG_FILES.map(({ path }) => path).toSorted());
});

test("of two workers one has a browser, as long as there are other files for the other", () => {
  const browsers = [file("page 60", 60, true), file("page 50", 50, true), file("page 40", 40, true)];
  const others = [file("30", 30), file("20", 20), file("15", 15)];
  // The first page ends at 60, the others at 30, 50 and 65; from then on there are only pages.
  expect(order([...browsers, ...others], 2)).toEqual(["page 60", "30", "20", "15", "page 50", "page 40"]);
});

test("of three workers no two have a browser, as long as there are other files", () => {
  const files = [file("page 60", 60, true), file("page 50", 50, true), file("30", 30), file("20", 20), file("15", 15)];
  expect(order(files, 3)).toEqual(["page 60", "30", "20", "15", "page 50"]);
});

test("a worker alone takes the longest file", () => {
  expect(order([file("other", 5), file("page", 9, true)], 1)).toEqual(["page", "other"]);
});
