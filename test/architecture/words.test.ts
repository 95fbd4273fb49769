import { expect, test } from "vitest";
import { readModules } from "./modules.ts";
import { MOST_VAGUE, vagueWords } from "./words.ts";

test("no package has more vague words in comments, identifiers and titles than its limit", () => {
  const counts = [...vagueWords(readModules())].filter(([folder, count]) => count > (MOST_VAGUE[folder] ?? 0));
  expect(counts).toEqual([]);
});

test("vague words are counted in comments, in parts of identifiers and in titles, not in values", () => {
  const counted = (path: string, text: string) => vagueWords(new Map([[path, text]])).get("cloud");
  expect(counted("cloud/src/a.ts", "/** Told by nobody. */ const lastTold = saidBefore;")).toBe(4);
  expect(counted("cloud/src/a.ts", 'const told_ = "told to nobody at all"; // toldX')).toBe(2);
  expect(counted("cloud/src/a.test.ts", 'test("a hub is told of it", () => use("told"));')).toBe(1);
});
