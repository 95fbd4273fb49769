/** The reader of imports reads them all, and nothing that only looks like one. */
import { expect, test } from "vitest";
import { codeOf } from "./code-of.ts";
import { importsOf } from "./imports-of.ts";

test.for([
  ['import "./a.ts";', ["./a.ts"]],
  ["import a from './a.ts';", ["./a.ts"]],
  ['import a, { b } from "./a.ts";', ["./a.ts"]],
  ['import a, * as b from "./a.ts";', ["./a.ts"]],
  ['import * as a from "./a.ts";', ["./a.ts"]],
  ['import {\n  a,\n  type B as C,\n} from "./a.ts";', ["./a.ts"]],
  ['import {a}from"./a.ts"', ["./a.ts"]],
  ['import type from "./a.ts";', ["./a.ts"]],
  ['import type, { a } from "./a.ts";', ["./a.ts"]],
  ['export * from "./a.ts";', ["./a.ts"]],
  ['export * as a from "./a.ts";', ["./a.ts"]],
  ['export { a } from "./a.ts";', ["./a.ts"]],
  ['const a = await import("./a.ts");', ["./a.ts"]],
  ['type A = import("./a.ts").A;', ["./a.ts"]],
  ['new Worker(new URL("./a.ts", import.meta.url))', ["./a.ts"]],
  ["await import(name)", [""]],
  ["const require = createRequire(import.meta.url);", [""]],
  ['export {};\nimport { a } from "./a.ts";\nimport { b } from "./b.ts";', ["./a.ts", "./b.ts"]],
  ["`${(await import('./a.ts')).name}`", ["./a.ts"]],
  ['const quote = /["\'`]/; import "./a.ts";', ["./a.ts"]],
  ['const half = total / 2; import "./a.ts"; const more = 1 / 2;', ["./a.ts"]],
  ['`a ${`b ${"}"} c`} d`; import "./a.ts";', ["./a.ts"]],
] as const)("in %j it reads %j", ([text, specifiers]) => {
  expect(importsOf(text)).toEqual(specifiers.map((specifier) => ({ specifier, typeOnly: false })));
});

test.for([
  'import type { A } from "./a.ts";',
  'import type A from "./a.ts";',
  'export type * from "./a.ts";',
  'export type { A } from "./a.ts";',
])("%j leaves nothing at run time", (text) => {
  expect(importsOf(text)).toEqual([{ specifier: "./a.ts", typeOnly: true }]);
});

test.for([
  '// import "./a.ts";',
  '/* import "./a.ts"; */',
  "const text = 'import \"./a.ts\"';",
  'const text = `import "./a.ts"`;',
  'const text = `${1}import "./a.ts"`;',
  'export const from = "./a.ts";',
  'const pattern = /import "a"/;',
  'object.import("./a.ts");',
  "import.meta.url;",
  'new URL("./a.json", import.meta.url);',
])("in %j there is no import", (text) => {
  expect(importsOf(text)).toEqual([]);
});

test("code keeps its lines when comments and texts are taken out", () => {
  const text = "/* a\n b */ const c = `d\n${e}`; // f\nconst g = 'h';";
  expect(codeOf(text).code.split("\n")).toHaveLength(text.split("\n").length);
  expect(codeOf(text)).toMatchObject({ strings: ["h"] });
  expect(codeOf(text).code).not.toMatch(/[abdfh]/);
});
