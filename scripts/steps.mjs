// Runs one tool of the project and tells how it went: its own file because check, test and bench all start tools.
import { spawn } from "node:child_process";
import { root, toolEnvironment } from "./setup.mjs";

/**
 * Runs a tool to its end. What it says is kept and given back; with `live` it is shown as it comes.
 * Never rejects: a tool that cannot be started has failed, and its output says why.
 */
export function runTool(name, command, { live = false, env = {} } = {}) {
  const started = performance.now();
  const [tool, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(tool, args, { cwd: root, env: toolEnvironment(env), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const hear = (data) => {
      output += data;
      if (live) process.stdout.write(data);
    };
    const end = (ok) => resolve({ name, ok, output, seconds: (performance.now() - started) / 1000 });
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", (error) => {
      hear(`${error.message}\n`);
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

/** One line for a step that has ended, and all that it said when it failed. */
export function tellStep({ name, ok, output, seconds }, said = output) {
  process.stdout.write(`${ok ? "passed" : "FAILED"}  ${name} (${seconds.toFixed(1)} s)\n`);
  if (!ok) process.stdout.write(`${said.trimEnd()}\n\n`);
}
