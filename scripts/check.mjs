// `npm run check`: types, lint, dead code and unit tests, in under a minute.
import { runChecks } from "./checks.mjs";
import { installPackages } from "./setup.mjs";
import { tellStep } from "./steps.mjs";
import { runTests } from "./vitest.mjs";

installPackages();
const [checks, unit] = await Promise.all([runChecks(tellStep), runTests("unit")]);
tellStep({ ...unit.step, name: `unit tests: ${unit.passed} passed, ${unit.failed} failed` });
process.exitCode = checks.every(({ ok }) => ok) && unit.step.ok ? 0 : 1;
