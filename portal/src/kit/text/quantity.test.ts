import { expect, it } from "vitest";
import { errorPage } from "./error-page.ts";
import { counted, skewOf, tookOf, untilOf } from "./quantity.ts";

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
