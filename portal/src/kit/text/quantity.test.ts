import { expect, it } from "vitest";
import { errorPage } from "./documents.ts";
import { bytesOf, counted, skewOf, spanOf, tookOf, untilOf } from "./quantity.ts";

it("a time that something took has the unit in which it is read best", () => {
  expect([0.04, 0.44, 9.96, 12.4, 999.4, 1000, 15_040].map(tookOf)).toEqual([
    "0 ms",
    "0.4 ms",
    "10 ms",
    "12 ms",
    "999 ms",
    "1 s",
    "15 s",
  ]);
});

it("a clock that is less than a second off is right; else it is ahead or behind", () => {
  expect([0, 999, -999, 3200, -61_000, 9e6].map(skewOf)).toEqual([
    "right",
    "right",
    "right",
    "3.2 s ahead",
    "1 min behind",
    "3 h ahead",
  ]);
});

it("an amount of memory has the unit in which it is read best", () => {
  expect([0, 512, 1024, 1536, 86_016, 1.5e9, 252e9, 5e15].map(bytesOf)).toEqual([
    "0 B",
    "512 B",
    "1 KiB",
    "1.5 KiB",
    "84 KiB",
    "1.4 GiB",
    "235 GiB",
    "4547 TiB",
  ]);
});

it("how long something has been so has its two largest units", () => {
  expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 1.1e9].map(spanOf)).toEqual([
    "0 s",
    "59 s",
    "1 min",
    "59 min",
    "1 h 0 min",
    "23 h 59 min",
    "1 d 0 h",
    "12 d 17 h",
  ]);
});

it("what is due or overdue comes now", () => {
  expect([-5000, 0, 1000, 59_001, 300_000, 36_000_000].map(untilOf)).toEqual([
    "now",
    "now",
    "1 s",
    "60 s",
    "5 min",
    "10 h",
  ]);
});

it("one is counted otherwise than many", () => {
  expect([counted(1, "device"), counted(0, "device"), counted(1234, "try", "tries")]).toEqual([
    "1 device",
    "0 devices",
    "1,234 tries",
  ]);
});

it("an error's page has the error's name", () => {
  expect(errorPage("Hub Offline")).toBe("/docs/errors/hub-offline");
});
