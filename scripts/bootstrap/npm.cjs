// Runs npm so that it ends with this process, however this one ends. Asked to stop by Ctrl-C, npm finishes its downloads first, which a
// dead network makes endless, and would go on writing beside the next installation.
"use strict";

const { spawn } = require("node:child_process");

/** In a group of its own: npm, and what kills the group when the pipe from this process is closed, as the system does at its end. */
const KEEPER = `exec 3<&0; "$@" 3<&- & npm=$!; { cat <&3; kill -KILL 0; } & wait $npm`;

/**
 * Runs npm in a folder. Gives its `output`, and how it `ended` when that was not well. Its stdout goes to stderr: stdout belongs to
 * the command that comes after.
 */
function runNpm(args, cwd) {
  const stdio = ["pipe", 2, "pipe"];
  const child = spawn("sh", ["-c", KEEPER, "sh", "npm", ...args], {
    cwd,
    stdio,
    detached: true,
  });
  let output = "";
  child.stderr.on("data", (data) => {
    output += data;
  });
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ output, ended: `sh cannot be run (${message})` }));
    child.once("exit", (status, signal) => {
      child.stdin.destroy();
      const ended = status === 0 ? undefined : `npm ended with ${signal ?? `status ${status}`}`;
      child.once("close", () => resolve({ output, ended }));
    });
  });
}

module.exports = { runNpm };
