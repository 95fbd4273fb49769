import { expect, it } from "vitest";
import { localTime, serviceTime } from "./local-time.ts";

it("a time comes back from the field as it went in, to the second", () => {
  const ms = Date.UTC(2026, 10, 5, 14, 3, 7);
  expect(serviceTime(localTime(ms))).toBe("2026-11-05 14:03:07Z");
});

it("an empty field is no time", () => {
  expect(serviceTime("")).toBeUndefined();
});
