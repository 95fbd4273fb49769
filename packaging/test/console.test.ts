/** The console as people install it: one executable, on a machine without Node.js; and how little it loads before it can answer. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../test/parts/program.ts";

/** Modules of ours and of npm for `--version`, with room for a few more; each costs its part of the 100 ms. */
const MOST_MODULES = 60;

let folder: string;
let executable: string;
let notices: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-console-"));
  const made = execFileSync(process.execPath, [join(ROOT, "scripts/package-console.mjs"), "--out", folder]);
  [executable = "", notices = ""] = made.toString().split("\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the executable with no other program on the path. */
function run(...args: string[]) {
  const env = { PATH: join(folder, "nothing"), HOME: folder };
  const { status, stdout, stderr } = spawnSync(executable, args, { encoding: "utf8", env });
  return { status, stdout, stderr };
}

it("the executable prints its version and its help without Node.js on the path", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "console/package.json"), "utf8"));
  expect(run("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  expect(run("--help").stdout).toContain("Usage: porchlight COMMAND");
  expect(run("help", "watch").stdout).toContain("Usage: porchlight watch [PLACE]");
});

it("the executable has every command inside, also those that are loaded on demand", () => {
  expect(run("whoami", "--api-url", "http://127.0.0.1:9")).toMatchObject({ status: 4, stdout: "" });
  expect(run("completion", "bash").stdout).toContain("complete -F _porchlight porchlight");
  expect(run("doctor", "--api-url", "http://127.0.0.1:9").stdout).toContain("settings");
});

it("the licences of what is inside lie beside it", () => {
  const text = readFileSync(notices, "utf8");
  for (const name of ["Node.js", "commander", "zod", "eventsource-parser"]) expect(text).toContain(name);
});

it("`--version` loads neither the client nor a schema nor any command, and few modules at all", () => {
  const hooks = join(folder, "hooks.mjs");
  const loaded = join(folder, "loaded");
  const code = `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(loaded)}, url + "\\n"); return next(url, context); } });`;
  writeFileSync(hooks, code);
  execFileSync(process.execPath, ["--import", hooks, join(ROOT, "console/src/main.ts"), "--version"]);
  const urls = readFileSync(loaded, "utf8")
    .split("\n")
    .filter((url) => url.startsWith("file:"));
  expect(urls.filter((url) => /\/(sdk|zod|shared\/src\/api)\//.test(url))).toEqual([]);
  expect(urls.filter((url) => /console\/src\/commands\/(?!table)/.test(url))).toEqual([]);
  expect(urls.length).toBeGreaterThan(5);
  expect(urls.length).toBeLessThan(MOST_MODULES);
});
