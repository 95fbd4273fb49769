// `npm test`: every check and every test, with the real parts that they need. The last line is the sum, alone.
// `npm test -- --since REF`: the checks, and the tests that what has changed since that commit can reach.
// `npm run test:long` (`--long`): the files that do more at length, with all rounds and variations; and the whole API on PostgreSQL.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fetchNodeVersions } from "../test/parts/node-versions.ts";
import { installParts } from "./parts.mjs";
import { runChecks } from "./test/checks.mjs";
import { installPeers } from "./test/peers.mjs";
import { reachedSince } from "./test/since.mjs";
import { printStep } from "./test/steps.mjs";
import { runTests } from "./test/vitest.mjs";
import { root } from "./tools.mjs";

const { values: options } = parseArgs({
  options: { since: { type: "string" }, long: { type: "boolean", default: false } },
});
// An end by a signal is an end in order too: what this process made is removed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));
const sum = { passed: 0, failed: 0 };
const failures = [];

function add(passed, names) {
  sum.passed += passed;
  sum.failed += names.length;
  failures.push(...names);
}

/** What a test that does more at length names. */
const AT_LENGTH = [
  ...["parts/rounds.ts", "parts/at-length.ts", "judge/every-driver.suite.ts"],
  ...["routesRefusing", "STORES_AT_LENGTH", "accessibilityProblemsAtLength"],
];

/** Test files that do more at length: those that ask `test/parts/rounds.ts`, or have it asked, and those that are whole variations. */
function filesAtLength() {
  const folders = ["test", "agent/src", "driver-kit", "drivers", "examples", "packaging"];
  for (const each of ["console", "firmware-sim", "portal"]) folders.push(`${each}/test`);
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
  );
  return files.filter((path) => {
    if (!path.endsWith(".test.ts")) return false;
    if (path.endsWith(".long.test.ts")) return true;
    const text = readFileSync(join(root, path), "utf8");
    return AT_LENGTH.some((name) => text.includes(name));
  });
}

async function checks() {
  await runChecks((result) => {
    printStep(result);
    add(result.ok ? 1 : 0, result.ok ? [] : [result.name]);
  });
}

async function tests(name, how) {
  const { passed, names, step } = await runTests(name, how);
  printStep({ ...step, name: `${step.name}: ${passed} passed, ${names.length} failed` });
  add(
    passed,
    names.map((each) => `${name}: ${each}`),
  );
}

/** Prints what of a machine is missing. */
function addMissing(missing) {
  for (const { name, why } of missing) add(0, [`${name} cannot be had: ${why}`]);
}

async function everything() {
  // What only the system tests need is fetched meanwhile.
  const fetched = fetchNodeVersions();
  await Promise.all([checks(), tests("unit tests", { projects: ["unit"], measured: true })]);
  addMissing(await fetched);
  // Together: while one waits, or ends with a single file that is long, the other has work.
  await tests("postgres and system tests", { projects: ["postgres", "system"], measured: true });
}

async function atLength() {
  const how = { env: { PORCHLIGHT_LONG: "1" }, live: true };
  addMissing(await fetchNodeVersions());
  await tests("long tests", { ...how, projects: ["unit", "system"], files: filesAtLength() });
  await tests("long tests on PostgreSQL", { ...how, projects: ["postgres"] });
}

async function since(ref) {
  const { files: reached, notes } = reachedSince(ref);
  const files = reached.filter((path) => !path.endsWith(".long.test.ts"));
  for (const line of notes) process.stdout.write(`${line}\n`);
  await checks();
  if (files.some((path) => path.startsWith("test/first-start/"))) addMissing(await fetchNodeVersions());
  if (files.length > 0) await tests("reached tests", { files });
}

try {
  addMissing(installParts());
  // Before anything walks the folder of the tests.
  addMissing(await installPeers({ long: options.long }));
  if (options.long) await atLength();
  else if (options.since !== undefined) await since(options.since);
  else await everything();
} catch (error) {
  add(0, [`the tests could not be run: ${error.stack}`]);
}
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join("")}\n`);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
process.exitCode = sum.failed === 0 ? 0 : 1;
