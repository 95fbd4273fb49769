// `npm run test:faults [-- OPTIONS]`: several nodes under faults, at length, or, with `--home`, a home of real processes. The options
// are those of test/cluster/scenarios/main.ts and test/faults/home/main.ts.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installParts } from "./parts.mjs";
import { installPeers } from "./test/peers.mjs";
import { root, toolEnvironment } from "./tools.mjs";

const isHome = process.argv.includes("--home");
const missing = installParts();
// The Matter device is of another team's library.
if (isHome && !process.argv.includes("--no-matter")) missing.push(...(await installPeers()));
for (const { name, why } of missing) process.stderr.write(`${name} cannot be had: ${why}\n`);
const program = isHome ? join("test", "faults", "home", "main.ts") : join("test", "cluster", "scenarios", "main.ts");
// Ctrl-C reaches the run too, which ends its processes: this one is there until it has.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
const { status } = spawnSync(process.execPath, [join(root, program), ...process.argv.slice(2)], {
  cwd: root,
  // Programs that are killed and started again are there sooner with what Node.js made of their files.
  env: toolEnvironment({ NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled") }),
  stdio: "inherit",
});
process.exitCode = status ?? 1;
