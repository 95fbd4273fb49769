// `npm run check`: types, lint, dead code and unit tests.
import { runChecks } from "./test/checks.mjs";
import { tellStep } from "./test/steps.mjs";
import { runTests } from "./test/vitest.mjs";

const [checks, unit] = await Promise.all([runChecks(tellStep), runTests("unit tests", { projects: ["unit"] })]);
tellStep({ ...unit.step, name: `unit tests: ${unit.passed} passed, ${unit.failed} failed` });
process.exitCode = checks.every(({ ok }) => ok) && unit.step.ok ? 0 : 1;
