/** In a package an exported name is declared once, and the check finds a name that is declared twice. */
import { expect, test } from "vitest";
import { readModules } from "./modules.ts";
import { DECLARED_TWICE, declaredTwice } from "./names.ts";

test("no name is exported by two files of one package, but for the listed ones", () => {
  const twice = declaredTwice(readModules());
  expect([...twice].filter(([name]) => !(name in DECLARED_TWICE))).toEqual([]);
  expect(Object.keys(DECLARED_TWICE).filter((name) => !twice.has(name))).toEqual([]);
});

test("a name that two files declare is found, a name that is re-exported or of another package is not", () => {
  const files = new Map([
    ["cloud/src/a/a.ts", "export interface Standing {}\nexport const once = 1;\nexport type once = 1;"],
    ["cloud/src/b/b.ts", "export type Standing = 1;"],
    ["cloud/src/b/index.ts", 'export { Standing } from "./b.ts";\n// export class once {}'],
    ["agent/src/a.ts", "export class once {}"],
    ["cloud/src/b/b.test.ts", "export const once = 2;"],
  ]);
  expect(declaredTwice(files)).toEqual(new Map([["cloud Standing", ["cloud/src/a/a.ts", "cloud/src/b/b.ts"]]]));
});
