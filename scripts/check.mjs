// `npm run check`: types, lint, dead code and unit tests.
import { runChecks } from "./test/checks.mjs";
import { printStep } from "./test/steps.mjs";
import { runTests } from "./test/vitest.mjs";

const [checks, unit] = await Promise.all([runChecks(printStep), runTests("unit tests", { projects: ["unit"] })]);
printStep({ ...unit.step, name: `unit tests: ${unit.passed} passed, ${unit.failed} failed` });
process.exitCode = checks.every(({ ok }) => ok) && unit.step.ok ? 0 : 1;
