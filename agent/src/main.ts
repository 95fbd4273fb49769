#!/usr/bin/env node
/** The program `porchlight-agent` as a process: its surroundings and its end. */
import { systemClock, systemRandom } from "@porchlight/shared/kernel";

// All files are private to the hub: its key, its token, the values of its devices.
process.umask(0o077);

// Not awaited: the packaged agent is a CommonJS module without top-level await.
void main();

async function main(): Promise<never> {
  const args = process.argv.slice(2);
  process.exitCode = await runnerOf(args)(args);
  // Handles that a library still holds open must not keep a stopped agent alive.
  process.exit();
}

function runnerOf([command]: readonly string[]): (args: readonly string[]) => Promise<number> {
  if (command === "driver") return runDriver;
  return command === "program" ? runBeside : runAgent;
}

/** Loads no code of the hub. */
async function runBeside([, ...args]: readonly string[]): Promise<number> {
  const { runProgramBeside } = await import("./main/program-beside.ts");
  return await runProgramBeside(args);
}

/** Loads no code of the hub, because third-party code runs in this process, in little memory. */
async function runDriver(): Promise<number> {
  const { runDriverHere } = await import("./main/driver.ts");
  return await runDriverHere({ clock: systemClock, random: systemRandom });
}

async function runAgent(args: readonly string[]): Promise<number> {
  const [{ runProgram }, { onInterrupt, promptAtTerminal }] = await Promise.all([
    import("./main/program.ts"),
    import("./main/terminal.ts"),
  ]);
  return await runProgram(args, {
    clock: systemClock,
    random: systemRandom,
    env: process.env,
    prompt: promptAtTerminal,
    onInterrupt,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  });
}
