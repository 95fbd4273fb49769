#!/usr/bin/env node
/** The program `porchlight-agent` as a process: what it has around it, and its end. */
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { runProgram } from "./main/program.ts";
import { onInterrupt, promptAtTerminal } from "./main/terminal.ts";

// Everything kept is private to the hub: its key, its token, what its devices say.
process.umask(0o077);

// Not awaited here: the packaged agent is a CommonJS module, which cannot.
void main();

async function main(): Promise<never> {
  process.exitCode = await runProgram(process.argv.slice(2), {
    clock: systemClock,
    random: systemRandom,
    env: process.env,
    prompt: promptAtTerminal,
    onInterrupt,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  });
  // What a library still holds open must not keep a stopped agent alive.
  process.exit();
}
