// What is checked without running the programs: types, lint, dead code. One list for `npm run check` and `npm test`.
import { runTool } from "./steps.mjs";

const CHECKS = [
  ["types", ["tsc", "--noEmit", "-p", "."]],
  ["types of the portal", ["tsc", "--noEmit", "-p", "portal"]],
  ["lint", ["biome", "check", "--error-on-warnings", "."]],
  ["dead code", ["knip"]],
];

/** Runs all checks side by side, and tells `onEnd` of each as it ends. Gives their results. */
export function runChecks(onEnd) {
  return Promise.all(
    CHECKS.map(async ([name, command]) => {
      const result = await runTool(name, command);
      onEnd(result);
      return result;
    }),
  );
}
