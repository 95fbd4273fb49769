// The checks that do not run the programs: types, lint, dead code. One list for `npm run check` and `npm test`.
import { join } from "node:path";
import { root } from "../tools.mjs";
import { runTool } from "./steps.mjs";

/** Checks types anew only where a file, or one that it imports, has another content than the last time. */
const types = (project, name) => [
  ...["tsc", "--noEmit", "-p", project],
  ...["--incremental", "--tsBuildInfoFile", join(root, "node_modules", ".cache", `${name}.tsbuildinfo`)],
];

const CHECKS = [
  ["types", types(".", "root")],
  ["types of the portal", types("portal", "portal")],
  ["lint", ["biome", "check", "--error-on-warnings", "."]],
  ["dead code", ["knip"]],
];

/** Runs all checks side by side, and calls `onEnd` with each as it ends. Gives their results. */
export function runChecks(onEnd) {
  return Promise.all(
    CHECKS.map(async ([name, command]) => {
      const result = await runTool(name, command);
      onEnd(result);
      return result;
    }),
  );
}
