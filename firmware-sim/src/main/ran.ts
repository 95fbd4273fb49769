/** Runs a command that a person gave for a proof: what presses a button, resets a board, or sets a property through a hub. */
import { exec } from "node:child_process";
import { promisify } from "node:util";
import { noteOutput } from "./print.ts";

const run = promisify(exec);

/** Its output goes where the person sees it: the report alone is on stdout. @throws Error when it fails */
export async function ran(command: string): Promise<void> {
  const { stdout, stderr } = await run(command);
  noteOutput(stdout + stderr);
}
