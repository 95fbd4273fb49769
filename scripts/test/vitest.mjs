// Runs a part of the tests and counts from vitest's own report, so that nothing that failed or was skipped is left out of the sum.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "../tools.mjs";
import { temporaryEnvironment } from "./memory-folder.mjs";
import { runTool } from "./steps.mjs";

/** Lines of a failure's message that stand beside its name. */
const LINES_OF_WHY = 6;
/** How many files run at once. All but the unit tests wait for a database or for other programs a good part of their time. */
function workersOf(projects) {
  return Math.max(2, availableParallelism()) * (projects.join() === "unit" ? 1 : 2);
}

const PROGRESS = join(root, "scripts", "test", "progress-reporter.mjs");

/**
 * Runs the tests of some projects, or of all, or only `files` of them. Gives `{passed, failed, names, step}`; `names` of what failed. What
 * the step's output begins with them and why, because a long output is often seen only in part.
 */
export async function runTests(
  name,
  { projects = [], files = [], workers = workersOf(projects), env = {}, live = false, measured = false },
) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-report-"));
  const report = join(folder, "report.json");
  const shown = live ? "verbose" : "dot";
  const reporters = [`--reporter=${shown}`, `--reporter=${PROGRESS}`, "--reporter=json", `--outputFile.json=${report}`];
  const chosen = [...projects.map((each) => `--project=${each}`), `--maxWorkers=${workers}`];
  const step = await runTool(name, ["vitest", "run", ...chosen, ...reporters, ...files], {
    env: { ...temporaryEnvironment(), ...(live ? {} : { NO_COLOR: "1" }), ...env },
    live,
    measured,
  });
  const counts = count(report, step.ok);
  rmSync(folder, { recursive: true });
  const output = `${counts.reasons.join("\n")}\n${step.output}`;
  return { ...counts, step: { ...step, output, ok: counts.failed === 0 } };
}

function count(report, ok) {
  const names = [];
  const reasons = [];
  let passed = 0;
  let results = [];
  try {
    results = JSON.parse(readFileSync(report, "utf8")).testResults;
  } catch (error) {
    return { passed: 0, failed: 1, names: [`vitest left no report: ${error.message}`], reasons };
  }
  for (const { name: file, status, assertionResults, message } of results) {
    const name = relative(root, file);
    const bad = assertionResults.filter((test) => test.status !== "passed");
    passed += assertionResults.length - bad.length;
    for (const test of bad) {
      names.push(`${name}: ${test.fullName} (${test.status})`);
      const why = test.failureMessages.join("\n").split("\n").slice(0, LINES_OF_WHY);
      reasons.push(`${names.at(-1)}\n${why.map((line) => `    ${line}`).join("\n")}`);
    }
    if (status !== "passed" && bad.length === 0) names.push(`${name}: ${message || "could not be loaded"}`);
  }
  if (results.length === 0) names.push("no test was found");
  // An error outside all tests fails the run, and must be seen in the sum.
  if (!ok && names.length === 0) names.push("vitest reports an error outside the tests");
  return { passed, failed: names.length, names, reasons };
}
