#!/usr/bin/env node
/** The program `porchlight-agent`: its commands, each a file under `main/`, and how it ends. */
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { exitStatusOf } from "@porchlight/shared/settings";
import { Command } from "commander";
import { IdentityUnusable } from "./config/identity.ts";
import { TokenUnusable } from "./config/token.ts";
import { AGENT_VERSION } from "./config/version.ts";
import { addBackup, addRestore } from "./main/backup.ts";
import { addCheckConfig } from "./main/check-config.ts";
import { type AddCommand, CommandFailed, PROGRAM } from "./main/command.ts";
import { addDevices } from "./main/devices.ts";
import { addDoctor } from "./main/doctor.ts";
import { addIdentify } from "./main/identify.ts";
import { addLogs } from "./main/logs.ts";
import { addPair } from "./main/pair.ts";
import { addRun } from "./main/run.ts";
import { addStatus } from "./main/status.ts";
import { addToken } from "./main/token.ts";
import { addUnpair } from "./main/unpair.ts";
import { StateUnusable } from "./state/index.ts";

/** In the order in which `--help` shows them. */
const COMMANDS: readonly AddCommand[] = [
  addRun,
  addPair,
  addUnpair,
  addStatus,
  addDevices,
  addIdentify,
  addToken,
  addLogs,
  addDoctor,
  addBackup,
  addRestore,
  addCheckConfig,
];

// Whatever is kept is the hub's own: its key, its token, what its devices say.
process.umask(0o077);
const program = new Command(PROGRAM).version(AGENT_VERSION).description("Runs on a home hub, next to the devices.");
const around = {
  clock: systemClock,
  random: systemRandom,
  env: process.env,
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};
// Before the commands are added: they inherit it.
program.exitOverride();
for (const add of COMMANDS) add(program, around);

// Not awaited here: the packaged agent is a CommonJS module, which cannot.
void main();

async function main(): Promise<never> {
  try {
    await program.parseAsync();
  } catch (failure) {
    process.exitCode = exitStatusOf(PROGRAM, failure, isPlain);
    if (failure instanceof CommandFailed) process.exitCode = failure.exitStatus;
  }
  // Whatever a library still holds open must not keep a stopped agent alive.
  process.exit();
}

/** The message says it all. */
function isPlain(failure: unknown): boolean {
  // Also of a file that is not there, or may not be written.
  if (failure instanceof Error && "syscall" in failure) return true;
  return [CommandFailed, IdentityUnusable, StateUnusable, TokenUnusable].some((kind) => failure instanceof kind);
}
