/** The linter still finds what we count on it to find: an upgrade or an edit that turns a rule off fails here. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./modules.ts";

/** What stands in each sample, and the rule that must name it. */
const SAMPLES = [
  ["noFloatingPromises", "async function work(): Promise<void> {}\nexport function start(): void {\n  work();\n}\n"],
  [
    "noMisusedPromises",
    "async function isOn(): Promise<boolean> {\n  return true;\n}\nexport function check(): number {\n  if (isOn()) return 1;\n  return 0;\n}\n",
  ],
  ["noExplicitAny", "export function read(value: any): unknown {\n  return value;\n}\n"],
  ["noNonNullAssertion", "export function first(list: string[]): string {\n  return list[0]!;\n}\n"],
  ["noUnusedVariables", "const forgotten = 1;\n"],
  ["noUnusedImports", 'import { join } from "node:path";\n'],
  ["useImportType", 'import { Stats } from "node:fs";\nexport type A = Stats;\n'],
  ["useNodejsImportProtocol", 'export { join } from "path";\n'],
  ["noRestrictedGlobals", "export const now = Date.now();\n"],
  ["noRestrictedGlobals", "export const timer = setTimeout(() => undefined, 1);\n"],
  ["noImportCycles", 'import { other } from "./cycle-other.ts";\nexport const one = () => other;\n'],
] as const;

const file = (index: number) => `sample-${index}.ts`;
const cycle = SAMPLES.findIndex(([rule]) => rule === "noImportCycles");

let sandbox: string;
/** Rules reported, by file name. */
let reported: Map<string, Set<string>>;

beforeAll(() => {
  // A folder of its own under the same configuration: samples among the real sources would be seen by the other tests.
  sandbox = mkdtempSync(join(tmpdir(), "porchlight-lint-"));
  for (const name of ["biome.json", ".gitignore"]) copyFileSync(join(ROOT, name), join(sandbox, name));
  const folder = join(sandbox, "cloud/src/store");
  mkdirSync(folder, { recursive: true });
  SAMPLES.forEach(([, text], index) => {
    writeFileSync(join(folder, file(index)), text);
  });
  writeFileSync(
    join(folder, "cycle-other.ts"),
    `import { one } from "./${file(cycle)}";\nexport const other = () => one;\n`,
  );
  writeFileSync(join(folder, "clean.ts"), "export const one = 1;\n");
  const args = ["lint", "--reporter=json", "--max-diagnostics=none", "."];
  const { stdout, stderr } = spawnSync(join(ROOT, "node_modules/.bin/biome"), args, { cwd: sandbox, encoding: "utf8" });
  if (!stdout.startsWith("{")) throw new Error(`biome did not run: ${stderr}`);
  reported = new Map();
  for (const { category, location } of JSON.parse(stdout).diagnostics) {
    const path = String(location.path?.file ?? location.path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    reported.set(name, (reported.get(name) ?? new Set()).add(String(category).split("/").at(-1) ?? ""));
  }
});
afterAll(() => rmSync(sandbox, { recursive: true }));

test.for(SAMPLES.map(([rule], index) => [rule, index] as const))("%s is in force (sample %i)", ([rule, index]) => {
  expect([...(reported.get(file(index)) ?? [])]).toContain(rule);
});

test("a clean file is not reported", () => {
  expect(reported.get("clean.ts")).toBeUndefined();
});
