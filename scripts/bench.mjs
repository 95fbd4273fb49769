// `npm run bench [-- NAME…]`: each benchmark in a process of its own, one after another, and one table of what they measured.
// With `--long` those that count rounds count many.
// A benchmark is bench/NAME.bench.ts; every line of its stdout that is a JSON object is a row of the table.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { installParts, PARTS_OF_BENCHMARKS } from "./parts.mjs";
import { root, toolEnvironment } from "./tools.mjs";

const ENDING = ".bench.ts";

const isLong = process.argv.includes("--long");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const names = readdirSync(join(root, "bench"))
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();

for (const { name, why } of installParts(names.flatMap((name) => PARTS_OF_BENCHMARKS[name] ?? [])))
  process.stderr.write(`${name} cannot be had: ${why}\n`);
const rows = [];
const failed = wanted.filter((name) => !names.includes(name));
for (const name of names) {
  process.stderr.write(`${name} …\n`);
  if (!(await run(name))) failed.push(name);
}
process.stdout.write(`${machine()}\n\n${table(rows)}`);
if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 || rows.length === 0 ? 1 : 0;

function run(name) {
  const file = join("bench", name + ENDING);
  const env = toolEnvironment(isLong ? { PORCHLIGHT_LONG: "1" } : {});
  const child = spawn(process.execPath, [file], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const row = readRow(line);
    if (row) rows.push(row);
    else process.stderr.write(`  ${line}\n`);
  });
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}

/** Where and of what the figures are. */
function machine() {
  const { stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" });
  const [{ model }] = cpus();
  const [, fiveMinutes] = loadavg();
  const processors = `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${fiveMinutes.toFixed(1)}`;
  return `Commit ${stdout?.trim() || "unknown"}, Node.js ${process.versions.node}, ${platform()} ${release()}, ${processors}.`;
}

function readRow(line) {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A Markdown table, so that it can be pasted into docs/benchmarks.md as it is. */
function table(all) {
  const columns = [...new Set(all.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return "Nothing was measured.\n";
  const lines = [columns, ...all.map((row) => columns.map((column) => String(row[column] ?? "")))];
  const widths = columns.map((_, index) => Math.max(3, ...lines.map((cells) => cells[index].length)));
  const draw = (cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(" | ")} |\n`;
  return draw(columns) + draw(widths.map((width) => "-".repeat(width))) + lines.slice(1).map(draw).join("");
}
