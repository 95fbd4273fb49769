/** Files are short, state what they are, and take time and chance as parameters. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesThatBelongInto, openingProblem, readsAcrossTenants, sizeProblem, timeAndChance } from "./conventions.ts";
import { ROOT, readModules } from "./modules.ts";
import { isTest } from "./rules.ts";
import { CROSS_TENANT, SMALL_FILES } from "./table.ts";

const modules = [...readModules()];
const production = modules.filter(([path]) => !isTest(path));

test("no file is longer than a reader can hold", () => {
  const long = production.flatMap(([path, text]) => sizeProblem(text)?.replace(/^/, `${path}: `) ?? []);
  expect(long).toEqual([]);
});

test("a small file that one file of its folder uses stands in that file, or has a reason", () => {
  const found = filesThatBelongInto(new Map(production));
  const apart = (each: string) => SMALL_FILES.find(({ files }) => files.some((file) => each.startsWith(`${file} `)));
  expect(found.filter((each) => !apart(each))).toEqual([]);
  const listed = SMALL_FILES.flatMap(({ files }) => files);
  expect(listed.filter((file) => !found.some((each) => each.startsWith(`${file} `)))).toEqual([]);
});

test.for([
  { importers: { "a/b.ts": 'import { x } from "./x.ts";' }, belongs: ["a/x.ts belongs into a/b.ts"] },
  { importers: { "a/b.ts": 'const load = () => import("./x.ts");' }, belongs: [] },
  { importers: { "a/b.ts": 'import { x } from "./x.ts";', "a/c.ts": 'import { x } from "./x.ts";' }, belongs: [] },
  { importers: { "c/b.ts": 'import { x } from "../a/x.ts";' }, belongs: [] },
  { importers: { "a/index.ts": 'export { x } from "./x.ts";' }, belongs: [] },
  { importers: { "a/b.ts": `import { x } from "./x.ts";\n${"\n".repeat(450)}` }, belongs: [] },
])("a file of one line beside $importers belongs into $belongs", ({ importers, belongs }) => {
  expect(filesThatBelongInto(new Map([...Object.entries(importers), ["a/x.ts", "export const x = 1;\n"]]))).toEqual(
    belongs,
  );
});

test("every file states in its first sentence what it is", () => {
  const silent = production.flatMap(([path, text]) => openingProblem(text)?.replace(/^/, `${path}: `) ?? []);
  expect(silent).toEqual([]);
});

test("time and chance come from nowhere but the kernel", () => {
  const outside = production.filter(([path]) => !path.startsWith("shared/src/kernel/") && !path.startsWith("portal/"));
  expect(outside.length).toBeGreaterThan(20);
  expect(outside.flatMap(([path, text]) => timeAndChance(text).map((place) => `${path}:${place}`))).toEqual([]);
});

test("only the files of the list read across tenants", () => {
  const users = production.filter(([, text]) => readsAcrossTenants(text)).map(([path]) => path);
  console.info(["read across tenants:", ...users].join("\n  "));
  const unlisted = users.filter(
    (path) => !path.endsWith("service-queries.ts") && !CROSS_TENANT.some(({ file }) => file === path),
  );
  expect(unlisted, "give each a row that states why in test/architecture/table.ts").toEqual([]);
  expect(CROSS_TENANT.filter(({ file }) => !users.includes(file))).toEqual([]);
});

/** Each pattern without braces that this one stands for. */
function alternativesOf(pattern: string): string[] {
  const [whole, before = "", inner = "", after = ""] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return inner.split(",").flatMap((each) => alternativesOf(`${before}${each}${after}`));
}

test("each pattern of tests in vitest.config.ts, and each alternative in it, matches a file", () => {
  const config = readFileSync(join(ROOT, "vitest.config.ts"), "utf8");
  const patterns = [...config.matchAll(/"([^"]+\.test\.ts)"/g)].map(([, pattern]) => pattern ?? "");
  expect(patterns.length).toBeGreaterThan(20);
  const isUnmatched = (pattern: string) => globSync(pattern, { cwd: ROOT }).length === 0;
  expect(patterns.flatMap(alternativesOf).filter(isUnmatched)).toEqual([]);
});

test("a file of 451 lines is too long, one of 450 is not", () => {
  expect(sizeProblem("x\n".repeat(451))).toContain("451 lines: a file past 450 is two ideas");
  expect(sizeProblem("x\n".repeat(450))).toBeUndefined();
});

test.for([
  ["/** What it is. */\n", true],
  ["#!/usr/bin/env node\n/** What it is. */\n", true],
  ["#!/usr/bin/env node\nimport 'x';\n", false],
  ["// what it is\n", false],
  ["\n/** What it is. */\n", false],
] as const)("%j opens well: %s", ([text, well]) => {
  expect(openingProblem(text) === undefined).toBe(well);
});

test.for([
  "const now = Date.now();",
  "const at = new Date(ms);",
  "setTimeout(f, 1);",
  "globalThis.setInterval(f, 1);",
  "const t = performance.now();",
  "const r = Math.random();",
  "fetch(url, { signal: AbortSignal.timeout(5) });",
  "const t = process.hrtime.bigint();",
  "crypto.randomUUID();",
  'import { randomBytes } from "node:crypto";',
  'import { setTimeout as sleep } from "node:timers/promises";',
  'import { hrtime } from "node:perf_hooks";',
])("`%s` takes time or chance for itself", (text) => {
  expect(timeAndChance(text)).not.toEqual([]);
});

test.for([
  "// Date.now() is what the Clock is for",
  'const text = "Date";',
  "headers.Date;",
  "socket.setTimeout(0);",
  "setImmediate(f);",
  "queueMicrotask(f);",
  "interface A { Date?: string }",
  "const updateDate = 1;",
])("`%s` does not", (text) => {
  expect(timeAndChance(text)).toEqual([]);
});

test.for([
  ["this.#store.service.query(q)", true],
  ["store\n  .service.query(q)", true],
  ["deps.store.gathered(openCommands)", true],
  ["store.of(id).from('devices')", false],
  ["target.service", false],
  ["// store.service", false],
] as const)("%j reads across tenants: %s", ([text, across]) => {
  expect(readsAcrossTenants(text)).toBe(across);
});
