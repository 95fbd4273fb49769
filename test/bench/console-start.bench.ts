/** How soon the console begins: `--version` and `--help` of the executable that people install, beside Node.js that does nothing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@porchlight/shared/kernel";
import { ROOT } from "../parts/program.ts";
import { print } from "./report.ts";

const ROUNDS = 20;

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
const made = execFileSync(process.execPath, [join(ROOT, "scripts/package-console.mjs"), "--out", folder]);
const [executable = ""] = made.toString().split("\n");

/** The median of many starts, each to its end, ms. */
function milliseconds(command: string, args: readonly string[]): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = systemClock.monotonic();
    execFileSync(command, args, { stdio: "ignore" });
    return systemClock.monotonic() - began;
  });
  return times.sort((one, other) => one - other)[ROUNDS / 2] ?? 0;
}

const bare = milliseconds(process.execPath, ["-e", "0"]);
for (const [flag, goal] of [
  ["--version", 100],
  ["--help", 200],
] as const) {
  const measured = milliseconds(executable, [flag]);
  print(`the console's executable, ${flag}, ms (limit: Node.js that does nothing)`, {
    ...{ measured, limit: bare, ratio: measured / bare },
    goal: `< ${goal} ms`,
  });
}
rmSync(folder, { recursive: true, force: true });
