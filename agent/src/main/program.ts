/** Runs a command of `porchlight-agent` and returns its exit status: independent of the process, so that it also runs inside another one. */
import { printableLines } from "@porchlight/shared/model";
import { exitStatusOf } from "@porchlight/shared/settings";
import { Command } from "commander";
import { AGENT_VERSION, IdentityUnusable, TokenUnusable } from "../config/index.ts";
import { StateUnusable } from "../state/index.ts";
import { type AddCommand, CommandFailed, PROGRAM, type Surroundings } from "./command.ts";

/**
 * Runs one command to its end.
 * @param args the arguments after the program's name
 * @returns the exit status
 */
export async function runProgram(args: readonly string[], bare: Omit<Surroundings, "endWith">): Promise<number> {
  const around = printing(bare);
  let status = 0;
  const endWith = (code: number) => {
    status = code;
  };
  const program = new Command(PROGRAM).version(AGENT_VERSION).description("Runs on a home hub, next to the devices.");
  // Set before the commands are added, because they inherit it.
  program.exitOverride().configureOutput({ writeOut: around.out, writeErr: around.err });
  for (const add of await commandsFor(args)) add(program, { ...around, endWith });
  try {
    await program.parseAsync(args, { from: "user" });
    return status;
  } catch (failure) {
    const failed = exitStatusOf(PROGRAM, failure, isPlain, around.err);
    return failure instanceof CommandFailed ? failure.exitStatus : failed;
  }
}

/** Removes control characters, except line breaks and tabs, from the output of every command. */
function printing(around: Omit<Surroundings, "endWith">): Omit<Surroundings, "endWith"> {
  return {
    ...around,
    out: (text) => around.out(printableLines(text)),
    err: (text) => around.err(printableLines(text)),
    prompt: (text, hidden) => around.prompt(printableLines(text), hidden),
  };
}

/** `run` stays in a hub's memory for months: the other commands are loaded only when one of them is called. */
async function commandsFor([command]: readonly string[]): Promise<readonly AddCommand[]> {
  return command === "run" ? [(await import("./run.ts")).addRun] : (await import("./commands.ts")).COMMANDS;
}

/** Whether the message of an error is sufficient without a stack. */
function isPlain(failure: unknown): boolean {
  // Includes errors of a missing or unwritable file.
  if (failure instanceof Error && "syscall" in failure) return true;
  return [CommandFailed, IdentityUnusable, StateUnusable, TokenUnusable].some((kind) => failure instanceof kind);
}
