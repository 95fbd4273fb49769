/** `porchlight-agent backup` and `restore`: one file with everything that identifies this hub. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { printable, printableValue } from "@porchlight/shared/model";
import { z } from "zod";
import {
  askAgent,
  BackupNotTaken,
  BackupUnusable,
  readStatus,
  restoreBackup,
  type Silence,
  takeBackup,
  writeBackup,
} from "../ops/index.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder, type Surroundings } from "./command.ts";

/** The running agent's answer: the name of the backup in its folder. */
const handed = z.object({ name: z.string() });

/** Long enough for a large history on a slow card. */
const WITHIN_MS = 120_000;

export const addBackup: AddCommand = (program, around) => {
  onDataFolder(program.command("backup <file>"), around)
    .description("write a copy of the hub's history, key and token; also while the agent runs")
    .action((file: string, { data }: { readonly data: string }) => backup(resolve(file), data, around));
};

export const addRestore: AddCommand = (program, around) => {
  onDataFolder(program.command("restore <file>"), around)
    .description("restore a backup into the data folder; stop the agent first")
    .option("--replace", "restore even if the folder has a hub: its files are renamed, not deleted")
    .action((file: string, options) => restore(resolve(file), options, around));
};

async function backup(file: string, data: string, around: Surroundings): Promise<void> {
  if (existsSync(file)) throw new CommandFailed(`${file} already exists: choose another name`, EXIT.refused);
  const { kind } = await readStatus(data, around.clock);
  if (kind === "not_running") await writeBackup(data, file, around.clock);
  else {
    const { name } = handed.parse(await askRunning(data, { ask: "backup" }, around, WITHIN_MS));
    take(data, name, file);
  }
  around.out(`${file} contains the hub's history, key and token: protect it like a key\n`);
}

/** Copies the file with the rights of the command's user: the agent writes into its own folder only. */
function take(data: string, name: string, file: string): void {
  try {
    takeBackup(data, name, file);
  } catch (failure) {
    if (failure instanceof BackupNotTaken) throw new CommandFailed(printable(failure.message), EXIT.refused);
    throw failure;
  }
}

async function restore(
  file: string,
  { data, replace }: { readonly data: string; readonly replace?: boolean },
  around: Surroundings,
): Promise<void> {
  const { kind } = await readStatus(data, around.clock);
  if (kind !== "not_running") throw new CommandFailed("an agent runs on this data folder: stop it first", EXIT.refused);
  try {
    const restored = restoreBackup(file, data, around.clock, replace ?? false);
    const { edgeId, madeAt, aside } = printableValue(restored);
    for (const path of aside) around.out(`the previous file is kept as ${path}\n`);
    around.out(`hub ${edgeId} is restored as of ${madeAt}; the next start begins a new history\n`);
  } catch (failure) {
    if (failure instanceof BackupUnusable) throw new CommandFailed(printable(failure.message), EXIT.refused);
    throw failure;
  }
}

/** The reasons why an agent did not answer, for people. */
export const SILENCES: Readonly<Record<Silence, string>> = {
  not_running: "no agent runs on this data folder",
  silent: "an agent runs on this data folder and does not answer",
  ended: "the agent on this data folder ended before it answered",
  foreign: "an agent of another version runs on this data folder: restart it",
};

/**
 * The running agent's answer with every text in it printable, for people.
 * @throws CommandFailed when no agent answers, or it refuses
 */
export async function askRunning(...asking: Parameters<typeof askExactly>): Promise<unknown> {
  return printableValue(await askExactly(...asking));
}

/**
 * The running agent's unmodified answer, for JSON and for values that are sent back to the agent.
 * @param withinMs how long it may take, ms
 * @throws CommandFailed when no agent answers, or it refuses
 */
export async function askExactly(
  dataDir: string,
  ask: { readonly ask: string; readonly about?: unknown },
  { clock }: Pick<Surroundings, "clock">,
  withinMs?: number,
): Promise<unknown> {
  const asked = await askAgent(dataDir, ask, clock, withinMs);
  if (asked.kind === "answered") return asked.answer;
  if (asked.kind === "refused") throw new CommandFailed(printable(asked.why), asked.exitStatus);
  throw new CommandFailed(SILENCES[asked.kind], EXIT.offline);
}
