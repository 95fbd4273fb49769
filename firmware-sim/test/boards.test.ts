/** `conform --boards`: several boards side by side, one report; a missing board does not stop the proof of the others. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";
import { Programs } from "./build.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
const LAMPS = [
  "  - name: first",
  "    exec: exec ./lamp --quiet --port {port}",
  "    flash: echo flashed > flashed",
  "",
].join("\n");
const SECOND = ["  - name: second", "    exec: exec ./lamp --quiet --port {port} --id 02-50-4C-00-0C-02", ""].join(
  "\n",
);

const stack = new AsyncDisposableStack();
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-boards-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const programs = stack.use(await Programs.make());
  copyFileSync(await programs.build("lamp", ["examples/lamp.c", "porchlight.c"]), join(folder, "lamp"));
});
afterAll(() => stack.disposeAsync());

async function conform(boards: string, ...words: readonly string[]) {
  writeFileSync(join(folder, "boards.yaml"), `boards:\n${boards}`);
  const all = [MAIN, "conform", "--boards", "boards.yaml", "--only", "F1,M2,S7", ...words];
  const child = spawn(process.execPath, all, { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });
  const [out, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, errors, status };
}

test("several boards are proved in one run, and the build server gets one report with a suite for each", async () => {
  const { out, status } = await conform(LAMPS + SECOND, "--junit", "report.xml");
  expect(status, out).toBe(0);
  expect(out).toMatch(/^first {3}F1 +pass/m);
  expect(out).toMatch(/^second {2}S7 +pass/m);
  const report = readFileSync(join(folder, "report.xml"), "utf8");
  expect(report).toContain('<testsuites name="device protocol" tests="6" failures="0" errors="0" skipped="0"');
  expect(report).toMatch(/<testsuite name="first: 02-50-4C-00-0C-01 on .* tests="3"/);
  expect(report).toMatch(/<testsuite name="second: 02-50-4C-00-0C-02 on .* tests="3"/);
  expect(readFileSync(join(folder, "flashed"), "utf8")).toBe("flashed\n");
});

test("a missing board, and a board that cannot be flashed, prove nothing: status 3, and an error in the report", async () => {
  const absent = "  - name: absent\n    serial: /dev/no-such-port\n";
  const unflashed = "  - name: unflashed\n    exec: exec ./lamp --port {port}\n    flash: echo no probe >&2; exit 1\n";
  const { out, status } = await conform(LAMPS + absent + unflashed, "--junit", "report.xml", "--json");
  expect(status).toBe(3);
  const reports = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(reports).toMatchObject([
    { is_proof: true, sum: { pass: 3 } },
    { subject: "absent", is_proof: false, stopped: expect.stringContaining("there is no such port") },
    { subject: "unflashed", is_proof: false, stopped: expect.stringContaining("no probe") },
  ]);
  expect(readFileSync(join(folder, "report.xml"), "utf8")).toContain('tests="5" failures="0" errors="2"');
});

test("a list with mistakes is wrong usage, and so is a page of several boards", async () => {
  expect(await conform("  - name: lamp\n")).toMatchObject({
    ...{ status: 2, errors: "boards.yaml: line 2: a board needs one of serial, tcp and exec\n" },
  });
  expect(await conform(LAMPS, "--html", "page.html")).toMatchObject({ status: 2 });
});
