// `npm run test:again -- PATTERN… [--times N] [--busy K] [--workers N] [--keep-going]`: the tests of the files whose path has the pattern
// in it, N times in a row, with K processes beside them that do nothing but take a processor each. What fails is kept with its whole
// output.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { time } from "./test/progress.mjs";
import { runTests } from "./test/vitest.mjs";
import { root } from "./tools.mjs";

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "50" },
    busy: { type: "string", default: "0" },
    workers: { type: "string" },
    "keep-going": { type: "boolean", default: false },
  },
});
const [times, busy] = [options.times, options.busy].map(Number);
if (files.length === 0 || !Number.isInteger(times) || times < 1 || !Number.isInteger(busy) || busy < 0) {
  process.stderr.write("Usage: npm run test:again -- PATTERN… [--times N] [--busy K] [--workers N] [--keep-going]\n");
  process.exit(2);
}

const logs = join(root, "node_modules", ".cache", "porchlight", "again", new Date().toISOString().replaceAll(":", "-"));
const loops = Array.from({ length: busy }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
const end = () => {
  for (const loop of loops) loop.kill("SIGKILL");
};
process.once("exit", end);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));

const failures = new Map();
let passed = 0;
let red = 0;
const started = performance.now();
for (let round = 1; round <= times; round++) {
  const result = await runTests("tests", { files, workers: options.workers });
  passed += result.passed;
  const seconds = result.step.seconds.toFixed(1);
  process.stdout.write(
    `round ${round} of ${times}: ${result.passed} passed, ${result.names.length} failed (${seconds} s)\n`,
  );
  if (result.names.length === 0) continue;
  red += 1;
  for (const name of result.names) failures.set(name, (failures.get(name) ?? 0) + 1);
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `round-${round}.log`);
  writeFileSync(log, result.step.output);
  process.stdout.write(
    `${result.names.map((name) => `  ${name}\n`).join("")}  kept: ${relative(process.cwd(), log)}\n`,
  );
  if (!options["keep-going"]) break;
}
end();
for (const [name, count] of failures) process.stdout.write(`failed ${count} times: ${name}\n`);
process.stdout.write(`${times} rounds wanted, ${red} red, ${time((performance.now() - started) / 1000)}\n`);
const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
