// Runs a part of the tests and counts from vitest's own report, so that nothing that failed or was skipped is left out of the sum.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "./setup.mjs";
import { runTool } from "./steps.mjs";

/** Runs the tests of a project (`unit`, `postgres`, `system`), or only `files` of it. Gives `{passed, failed, names, step}`; `names` of what failed. */
export async function runTests(project, { files = [], env = {}, live = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-report-"));
  const report = join(folder, "report.json");
  const reporters = [`--reporter=${live ? "verbose" : "dot"}`, "--reporter=json", `--outputFile.json=${report}`];
  const step = await runTool(`${project} tests`, ["vitest", "run", "--project", project, ...reporters, ...files], {
    env: live ? env : { NO_COLOR: "1", ...env },
    live,
  });
  const counts = count(report, step.ok);
  rmSync(folder, { recursive: true });
  return { ...counts, step: { ...step, ok: counts.failed === 0 } };
}

function count(report, ok) {
  const names = [];
  let passed = 0;
  let results = [];
  try {
    results = JSON.parse(readFileSync(report, "utf8")).testResults;
  } catch (error) {
    return { passed: 0, failed: 1, names: [`vitest left no report: ${error.message}`] };
  }
  for (const { name: file, status, assertionResults, message } of results) {
    const name = relative(root, file);
    const bad = assertionResults.filter((test) => test.status !== "passed");
    passed += assertionResults.length - bad.length;
    names.push(...bad.map((test) => `${name}: ${test.fullName} (${test.status})`));
    if (status !== "passed" && bad.length === 0) names.push(`${name}: ${message || "could not be loaded"}`);
  }
  if (results.length === 0) names.push("no test was found");
  // An error outside all tests fails the run, and is to be seen in the sum.
  if (!ok && names.length === 0) names.push("vitest reports an error outside the tests");
  return { passed, failed: names.length, names };
}
