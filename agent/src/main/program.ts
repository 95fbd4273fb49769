/** The commands of `porchlight-agent`, and how each ends: apart from the process, so that it also runs within another one. */
import { printableLines } from "@porchlight/shared/model";
import { exitStatusOf } from "@porchlight/shared/settings";
import { Command } from "commander";
import { AGENT_VERSION, IdentityUnusable, TokenUnusable } from "../config/index.ts";
import { StateUnusable } from "../state/index.ts";
import { type AddCommand, CommandFailed, PROGRAM, type Surroundings } from "./command.ts";

/**
 * Runs one command to its end.
 * @param args the words after the program's name
 * @returns the exit status
 */
export async function runProgram(args: readonly string[], bare: Omit<Surroundings, "endWith">): Promise<number> {
  const around = printing(bare);
  let status = 0;
  const endWith = (told: number) => {
    status = told;
  };
  const program = new Command(PROGRAM).version(AGENT_VERSION).description("Runs on a home hub, next to the devices.");
  // Before the commands are added: they inherit it.
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

/** What moves a cursor, other than line breaks and tabs, is in no output of any command. */
function printing(around: Omit<Surroundings, "endWith">): Omit<Surroundings, "endWith"> {
  return {
    ...around,
    out: (text) => around.out(printableLines(text)),
    err: (text) => around.err(printableLines(text)),
    prompt: (text, hidden) => around.prompt(printableLines(text), hidden),
  };
}

/** `run` goes on for months in the memory of a hub: the other commands are loaded only for who asks for one of them. */
async function commandsFor([command]: readonly string[]): Promise<readonly AddCommand[]> {
  return command === "run" ? [(await import("./run.ts")).addRun] : (await import("./commands.ts")).COMMANDS;
}

/** The message says it all. */
function isPlain(failure: unknown): boolean {
  // Also of a file that is not there, or may not be written.
  if (failure instanceof Error && "syscall" in failure) return true;
  return [CommandFailed, IdentityUnusable, StateUnusable, TokenUnusable].some((kind) => failure instanceof kind);
}
