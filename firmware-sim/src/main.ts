#!/usr/bin/env node
/** `porchlight-sim`: the list of its commands, one file each under `main/`, and their exit statuses. */
import { Command, CommanderError } from "commander";
import { noteOutput } from "./main/command-line.ts";
import { conformCommand } from "./main/conform.ts";
import { decodeCommand } from "./main/decode.ts";
import { fuzzCommand } from "./main/fuzz.ts";
import { newCommand } from "./main/new.ts";
import { playCommand } from "./main/play.ts";
import { recordCommand } from "./main/record.ts";
import { replayCommand } from "./main/replay.ts";
import { runCommand } from "./main/run.ts";
import { FAILED, OK, shellCommand, statusOf, WRONG_USAGE } from "./main/shell.ts";
import { soakCommand } from "./main/soak.ts";

const program = new Command("porchlight-sim")
  .description("A laboratory for firmware: simulated devices that speak the device protocol, to the byte.")
  .exitOverride();

for (const command of [
  newCommand(),
  runCommand(),
  shellCommand(),
  soakCommand(),
  decodeCommand(),
  conformCommand(),
  fuzzCommand(),
  recordCommand(),
  replayCommand(),
  playCommand(),
])
  program.addCommand(command.copyInheritedSettings(program));

// The reader has closed the pipe, as `head` does: stop writing.
process.stdout.on("error", () => process.exit(FAILED));

try {
  await program.parseAsync();
} catch (failure) {
  if (failure instanceof CommanderError) process.exitCode = failure.exitCode === 0 ? OK : WRONG_USAGE;
  else {
    noteOutput(`${failure instanceof Error ? failure.message : String(failure)}\n`);
    process.exitCode = statusOf(failure);
  }
}
