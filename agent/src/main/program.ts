/** The commands of `porchlight-agent`, and how each ends: apart from the process, so that it also runs within another one. */
import { exitStatusOf } from "@porchlight/shared/settings";
import { Command } from "commander";
import { AGENT_VERSION, IdentityUnusable, TokenUnusable } from "../config/index.ts";
import { StateUnusable } from "../state/index.ts";
import { addBackup, addRestore } from "./backup.ts";
import { addCheckConfig } from "./check-config.ts";
import { type AddCommand, CommandFailed, PROGRAM, type Surroundings } from "./command.ts";
import { addDevices } from "./devices.ts";
import { addDoctor } from "./doctor.ts";
import { addDrivers } from "./drivers.ts";
import { addIdentify } from "./identify.ts";
import { addLogs } from "./logs.ts";
import { addPair } from "./pair.ts";
import { addRun } from "./run.ts";
import { addStatus } from "./status.ts";
import { addToken } from "./token.ts";
import { addUnpair } from "./unpair.ts";

/** In the order in which `--help` shows them. */
const COMMANDS: readonly AddCommand[] = [
  addRun,
  addPair,
  addUnpair,
  addStatus,
  addDevices,
  addDrivers,
  addIdentify,
  addToken,
  addLogs,
  addDoctor,
  addBackup,
  addRestore,
  addCheckConfig,
];

/**
 * Runs one command to its end.
 * @param args the words after the program's name
 * @returns the exit status
 */
export async function runProgram(args: readonly string[], around: Omit<Surroundings, "endWith">): Promise<number> {
  let status = 0;
  const endWith = (told: number) => {
    status = told;
  };
  const program = new Command(PROGRAM).version(AGENT_VERSION).description("Runs on a home hub, next to the devices.");
  // Before the commands are added: they inherit it.
  program.exitOverride().configureOutput({ writeOut: around.out, writeErr: around.err });
  for (const add of COMMANDS) add(program, { ...around, endWith });
  try {
    await program.parseAsync(args, { from: "user" });
    return status;
  } catch (failure) {
    const failed = exitStatusOf(PROGRAM, failure, isPlain, around.err);
    return failure instanceof CommandFailed ? failure.exitStatus : failed;
  }
}

/** The message says it all. */
function isPlain(failure: unknown): boolean {
  // Also of a file that is not there, or may not be written.
  if (failure instanceof Error && "syscall" in failure) return true;
  return [CommandFailed, IdentityUnusable, StateUnusable, TokenUnusable].some((kind) => failure instanceof kind);
}
