// `npm run test:faults [-- OPTIONS]`: several nodes under faults, at length; the options are those of test/cluster/scenarios/main.ts.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installParts } from "./parts.mjs";
import { root, toolEnvironment } from "./tools.mjs";

const missing = installParts();
for (const { name, why } of missing) process.stderr.write(`${name} cannot be had: ${why}\n`);
const program = join(root, "test", "cluster", "scenarios", "main.ts");
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: root,
  env: toolEnvironment({}),
  stdio: "inherit",
});
process.exitCode = status ?? 1;
