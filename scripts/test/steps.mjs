// Runs one tool of the project and prints how it went: its own file because checks and tests all start tools.
import { spawn } from "node:child_process";
import { root, toolEnvironment } from "../tools.mjs";
import { clearLine, PROGRESS_FD, Progress } from "./progress.mjs";

/**
 * Runs a tool to its end. Its output is kept and given back; with `live` it is shown as it comes, with `measured`
 * its progress is, and how long it took is kept for the next time.
 * Never rejects: a tool that cannot be started has failed, and its output states why.
 */
export function runTool(name, command, { live = false, measured = false, env = {} } = {}) {
  const started = performance.now();
  const [tool, ...args] = command;
  return new Promise((resolve) => {
    const stdio = ["ignore", "pipe", "pipe"];
    stdio[PROGRESS_FD] = "pipe";
    const child = spawn(tool, args, { cwd: root, env: toolEnvironment(env), stdio });
    const progress = measured ? new Progress(name, child.stdio[PROGRESS_FD]) : undefined;
    // A pipe without a reader becomes full, and the tool then waits for it without end.
    if (!measured) child.stdio[PROGRESS_FD].resume();
    let output = "";
    const hear = (data) => {
      output += data;
      if (live) process.stdout.write(data);
    };
    const end = (ok) => {
      progress?.end(ok);
      resolve({ name, ok, output, seconds: (performance.now() - started) / 1000 });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", (error) => {
      hear(`${error.message}\n`);
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

/** One line for a step that has ended, and its whole output when it failed. */
export function printStep({ name, ok, output, seconds }, text = output) {
  clearLine();
  process.stdout.write(`${ok ? "passed" : "FAILED"}  ${name} (${seconds.toFixed(1)} s)\n`);
  if (!ok) process.stdout.write(`${text.trimEnd()}\n\n`);
}
