/** The stated reach of a change is its real reach, and a change of unknown reach is reported as such. */
import { expect, test } from "vitest";
import { reached } from "./reach.ts";

const FILES = new Map([
  ["shared/src/kernel/index.ts", 'export * from "./clock.ts";'],
  ["shared/src/kernel/clock.ts", "export const clock = 1;"],
  ["shared/src/kernel/clock.test.ts", 'import { clock } from "./clock.ts";'],
  ["cloud/src/main.ts", 'import { clock } from "@porchlight/shared/kernel";'],
  ["agent/src/main.ts", 'import { hue } from "@porchlight/driver-hue"; import "@porchlight/driver-kit/settings";'],
  ["drivers/hue/src/index.ts", "export const hue = 1;"],
  ["driver-kit/src/settings.ts", "export const admit = 1;"],
  ["agent/src/main.test.ts", 'import { agent } from "./main.ts";'],
  ["test/parts/home.ts", 'start("cloud/src/main.ts"); read(join(ROOT, "docs", "console.md"));'],
  ["test/journeys/lamp.test.ts", 'import { Home } from "../parts/home.ts"; // "agent/src/main.ts"'],
  ["portal/src/page.tsx", "export const page = 1;"],
  ["test/parts/chromium.ts", "export const chromium = 1;"],
  ["test/browser/page.test.ts", 'import { chromium } from "../parts/chromium.ts";'],
  ["docs/console.md", "words"],
  ["docs/scale.md", "words"],
]);

test("a module reaches the tests that import it, through packages and programs that are started", () => {
  expect(reached(FILES, ["shared/src/kernel/clock.ts"])).toEqual({
    tests: ["shared/src/kernel/clock.test.ts", "test/journeys/lamp.test.ts"],
    unnamed: [],
  });
});

test.each(["drivers/hue/src/index.ts", "driver-kit/src/settings.ts"])(
  "%s reaches each test that imports its package",
  (path) => {
    expect(reached(FILES, [path]).tests).toEqual(["agent/src/main.test.ts"]);
  },
);

test("a module that only a comment names is not reached", () => {
  expect(reached(FILES, ["agent/src/main.ts"]).tests).toEqual(["agent/src/main.test.ts"]);
});

test("a document reaches the tests that read it; one that no module names is reported", () => {
  expect(reached(FILES, ["docs/console.md", "docs/scale.md"])).toEqual({
    tests: ["test/journeys/lamp.test.ts"],
    unnamed: ["docs/scale.md"],
  });
});

test("the portal reaches each test that looks at it with a browser", () => {
  expect(reached(FILES, ["portal/src/page.tsx"]).tests).toEqual(["test/browser/page.test.ts"]);
});

test("a deleted file reaches the tests that still name it", () => {
  const without = new Map([...FILES].filter(([path]) => path !== "agent/src/main.ts"));
  expect(reached(without, ["agent/src/main.ts"]).tests).toEqual(["agent/src/main.test.ts"]);
});

test.each(["package.json", "package-lock.json", "vitest.config.ts", "test/parts/postgres-setup.ts"])(
  "%s reaches every test",
  (path) => {
    expect(reached(FILES, [path]).tests).toHaveLength(4);
  },
);

test("a changed test reaches itself, and no change reaches no test", () => {
  expect(reached(FILES, ["agent/src/main.test.ts"])).toEqual({ tests: ["agent/src/main.test.ts"], unnamed: [] });
  expect(reached(FILES, [])).toEqual({ tests: [], unnamed: [] });
});
