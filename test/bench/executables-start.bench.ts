/** How soon the executables that people install begin: `--version` and `--help` of the console and of the agent, beside Node.js that does nothing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@porchlight/shared/kernel";
import { ROOT } from "../parts/program.ts";
import { print } from "./report.ts";

const ROUNDS = 20;

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));

/** The executable, built as it is released. */
function built(script: string): string {
  const made = execFileSync(process.execPath, [join(ROOT, "scripts", script), "--out", folder]);
  return made.toString().split("\n")[0] ?? "";
}

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
for (const [name, script, flags] of [
  ["the console's executable", "package-console.mjs", { "--version": 100, "--help": 200 }],
  ["the agent's executable", "package-agent.mjs", { "--version": 500 }],
] as const) {
  const executable = built(script);
  for (const [flag, goal] of Object.entries(flags)) {
    const measured = milliseconds(executable, [flag]);
    print(`${name}, ${flag}, ms (limit: Node.js that does nothing)`, {
      ...{ measured, limit: bare, ratio: measured / bare },
      goal: `< ${goal} ms`,
    });
  }
}
rmSync(folder, { recursive: true, force: true });
