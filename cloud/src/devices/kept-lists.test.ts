/** Answers that are kept until something changes, in bounded memory. */
import { expect, it } from "vitest";
import { KeptLists } from "./environment-state.ts";

const list = (length: number) => ({ size: 1, text: "x".repeat(length) });

it("gives what was kept, and nothing once something has changed", () => {
  const lists = new KeptLists();
  lists.keep("Switch", list(10), 10);
  expect([lists.get("Switch"), lists.get("Meter")]).toEqual([list(10), undefined]);
  lists.forget();
  expect(lists.get("Switch")).toBeUndefined();
});

it("keeps nothing that is longer than 300 characters for each device and value", () => {
  const lists = new KeptLists();
  lists.keep("Switch", list(3_000), 10);
  expect(lists.get("Switch")).toBeUndefined();
  lists.keep("Switch", list(3_000 - 106), 10);
  expect(lists.get("Switch")).toBeDefined();
});

it("forgets the others when there is no room for one more, also of selectors that mean nothing", () => {
  const lists = new KeptLists();
  const kept = () => selectors.filter((selector) => lists.get(selector)).length;
  const selectors = Array.from({ length: 1_000 }, (_, at) => `Service${at}`);
  for (const selector of selectors) {
    lists.keep(selector, { size: 0, text: "" }, 10);
    expect(lists.get(selector)).toBeDefined();
    expect(kept()).toBeLessThanOrEqual(30);
  }
});
