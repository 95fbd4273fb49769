#!/usr/bin/env node
/** The program `porchlight-cloud`: parses its arguments, starts the service, and ends it in order on a signal. */
import { IdMaker, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { exitStatusOf, loadSettings, settingFlags } from "@porchlight/shared/settings";
import { Command } from "commander";
import { KeyFileBroken, KeyMismatch } from "./access/index.ts";
import {
  CLOUD_VERSION,
  type CloudSettings,
  cloudSettings,
  DataFolderBroken,
  databaseOf,
  makeDataFolder,
} from "./config/index.ts";
import { TlsBroken } from "./http/index.ts";
import { listVersions, notifyRelease, verify } from "./main/audit-commands.ts";
import { type BackupCommandDeps, backup, restore } from "./main/backup-commands.ts";
import { type CommandDeps, CommandRefused } from "./main/command.ts";
import { askHealth } from "./main/health-command.ts";
import { listKeys, removeKey, rotateKey } from "./main/key-commands.ts";
import { serve } from "./main/serve-command.ts";
import { BackupRefused, DatabaseClaimed, DatabaseUnusable, SchemaTooNew, Store } from "./store/index.ts";

const PROGRAM = "porchlight-cloud";

/** Errors whose message is sufficient, without a stack. */
const PLAIN = [
  ...[BackupRefused, CommandRefused, DataFolderBroken, DatabaseClaimed, DatabaseUnusable],
  ...[KeyFileBroken, KeyMismatch, SchemaTooNew, TlsBroken],
];

const clock = systemClock;
const random = systemRandom;

type Flags = Record<string, unknown>;

function settingsOf({ config, ...flags }: Flags): CloudSettings {
  const file = typeof config === "string" ? config : undefined;
  return loadSettings(cloudSettings, { program: PROGRAM, file, env: process.env, flags, warn: warnOnTerminal });
}

function warnOnTerminal(message: string): void {
  process.stderr.write(`${PROGRAM}: ${message}\n`);
}

async function migrate(flags: Flags): Promise<void> {
  const settings = settingsOf(flags);
  makeDataFolder(settings.data);
  const location = databaseOf(settings);
  await using _store = await Store.open({ location, clock, ids: new IdMaker(clock, random) });
  process.stdout.write("the database is up to date\n");
}

function checkConfig(flags: Flags): void {
  settingsOf(flags);
  process.stdout.write("the settings are valid\n");
}

function commandDeps(flags: Flags): CommandDeps {
  return { settings: settingsOf(flags), clock, random, print: (line) => void process.stdout.write(`${line}\n`) };
}

function backupDeps(flags: Flags): BackupCommandDeps {
  const wrongUsage = (message: string) => program.error(`${PROGRAM}: ${message}`);
  return { ...commandDeps(flags), wrongUsage };
}

/** A command with the options common to all. */
function command(name: string, description: string, parent = program): Command {
  return parent
    .command(name)
    .description(description)
    .option(...flagOf("data"))
    .option(...flagOf("database"))
    .option("--config <file>", "settings file in YAML")
    .exitOverride();
}

/** A setting's flag and its help. */
function flagOf(key: keyof CloudSettings): [string, string] {
  const found = settingFlags(cloudSettings.shape).find((flag) => flag.key === key);
  if (!found) throw new Error(`the setting ${key} has no flag`);
  return [found.flags, found.help];
}

// All files of the service are private: hashes, tokens, keys.
process.umask(0o077);
const program = new Command(PROGRAM).version(CLOUD_VERSION).description("The REST API and the tunnels to the hubs.");
program.exitOverride();
/** A command with the flags of all settings. */
const serving = (name: string, description: string) => {
  const made = command(name, description);
  for (const { key, flags, help } of settingFlags(cloudSettings.shape))
    if (key !== "data" && key !== "database") made.option(flags, help);
  return made;
};
serving("serve", "run the service until it is stopped").action((flags: Flags) => serve(commandDeps(flags)));
command("migrate", "migrate the database to the schema of this program").action(migrate);
serving("check-config", "check the settings").action(checkConfig);
serving("health", "check whether the service on this machine accepts requests").action((flags: Flags) =>
  askHealth(settingsOf(flags), (line) => void process.stdout.write(`${line}\n`)),
);

const SECRET_FILE = flagOf("secretFile");
command("backup", "write a copy of the database, also while the service runs")
  .argument("<file>", "path of the copy; an existing file is not overwritten")
  .option("--with-key", "also write the keys, into FILE.key")
  .option(...SECRET_FILE)
  .action((file: string, { withKey, ...flags }: Flags) => backup(backupDeps(flags), file, withKey === true));
command("restore", "create a data folder from a backup, where there is no database")
  .argument("<file>", "the backup; the keys are read from FILE.key if it exists")
  .option(...SECRET_FILE)
  .action((file: string, flags: Flags) => restore(backupDeps(flags), file));

const keys = program.command("key").description("manage the keys that seal secrets in the database");
command("rotate", "add a new key, which seals from then on", keys)
  .option(...SECRET_FILE)
  .action((flags: Flags) => rotateKey(commandDeps(flags)));
command("list", "list the keys, and how many texts each has sealed", keys)
  .option(...SECRET_FILE)
  .action((flags: Flags) => listKeys(commandDeps(flags)));
command("remove", "remove a key that nothing needs any more", keys)
  .argument("<key>", "ID of the key")
  .option(...SECRET_FILE)
  .action((id: string, flags: Flags) => removeKey(commandDeps(flags), id));

const versions = command("versions", "list who still uses an old version of the API").action((flags: Flags) =>
  listVersions(commandDeps(flags)),
);
command("notify", "send each account one e-mail about a coming version", versions)
  .option(...SECRET_FILE)
  .requiredOption("--release <version>", "the coming version: v1")
  .requiredOption("--date <day>", "the day of its release: YYYY-MM-DD")
  .action((_own: Flags, of: Command) => {
    const { release, date, ...flags } = of.optsWithGlobals<Flags & { release: string; date: string }>();
    return notifyRelease(commandDeps(flags), release, date);
  });

const auditing = program.command("audit").description("check the audit");
command("verify", "check whether the audit was changed by anything but the service", auditing)
  .option("--heads <file>", "compare with the heads in this file, and store the current heads in it")
  .action(async ({ heads, ...flags }: Flags) => {
    const holds = await verify(commandDeps(flags), typeof heads === "string" ? heads : undefined);
    if (!holds) process.exitCode = 1;
  });

// Not awaited here: as one executable the service is a CommonJS module, which cannot.
void main();

async function main(): Promise<never> {
  try {
    await program.parseAsync();
  } catch (failure) {
    process.exitCode = exitStatusOf(PROGRAM, failure, isPlain);
  }
  // Handles that a library leaves open must not keep a stopped service alive.
  process.exit();
}

/** Whether the message is sufficient; also for a port in use, or a folder that is not writable. */
function isPlain(failure: unknown): boolean {
  const ofSystem = failure instanceof Error && "syscall" in failure;
  return ofSystem || PLAIN.some((kind) => failure instanceof kind);
}
