// `npm test`: every check and every test, with the real parts that they need. The last line is the sum, alone.
// `npm run test:long` (`--long`): the files that count rounds, with the numbers that are asked for.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./checks.mjs";
import { installPackages, installParts, root } from "./setup.mjs";
import { tellStep } from "./steps.mjs";
import { runTests } from "./vitest.mjs";

const isLong = process.argv.includes("--long");
const sum = { passed: 0, failed: 0 };
const failures = [];

function add(passed, names) {
  sum.passed += passed;
  sum.failed += names.length;
  failures.push(...names);
}

/** Test files that count rounds: those that ask `test/parts/rounds.ts` how many. */
function filesWithRounds() {
  const paths = readdirSync(join(root, "test"), { recursive: true }).map((path) => join("test", path));
  return paths.filter(
    (path) => path.endsWith(".test.ts") && readFileSync(join(root, path), "utf8").includes("parts/rounds.ts"),
  );
}

async function everything() {
  await runChecks((result) => {
    tellStep(result);
    add(result.ok ? 1 : 0, result.ok ? [] : [result.name]);
  });
  for (const project of ["unit", "postgres", "system"]) await tests(project, {});
}

async function tests(project, options) {
  const { passed, names, step } = await runTests(project, options);
  tellStep({ ...step, name: `${step.name}: ${passed} passed, ${names.length} failed` });
  add(
    passed,
    names.map((name) => `${project}: ${name}`),
  );
}

try {
  installPackages();
  for (const { name, why } of installParts()) add(0, [`${name} cannot be had: ${why}`]);
  if (isLong) await tests("system", { files: filesWithRounds(), env: { PORCHLIGHT_LONG: "1" }, live: true });
  else await everything();
} catch (error) {
  add(0, [`the tests could not be run: ${error.stack}`]);
}
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join("")}\n`);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
process.exitCode = sum.failed === 0 ? 0 : 1;
