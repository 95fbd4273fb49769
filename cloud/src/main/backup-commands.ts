/** `porchlight-cloud backup` and `restore`: the database in one file, of a single moment, with or without its sealing keys. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { openKeyring } from "../access/index.ts";
import { databaseOf, isPostgres, makeDataFolder, secretFileOf } from "../config/index.ts";
import { copyDatabase, copyPrivately, restoreDatabase } from "../store/index.ts";
import { type CommandDeps, CommandRefused, existingDatabase } from "./command.ts";

export interface BackupCommandDeps extends Omit<CommandDeps, "clock"> {
  /** Exits as for wrong usage. */
  readonly wrongUsage: (message: string) => never;
}

/**
 * Writes a copy of the database, even while the service runs; with the keys beside it on request.
 * @throws CommandRefused, BackupRefused, SystemError
 */
export async function backup(deps: BackupCommandDeps, target: string, withKey: boolean): Promise<void> {
  const { settings, random, print } = deps;
  const file = resolve(target);
  const database = databaseOf(settings);
  if (isPostgres(database))
    deps.wrongUsage(
      `This database is a PostgreSQL server's, and its own program copies it: pg_dump --format=custom --file=${quoted(file)} ${quoted(shown(database))}`,
    );
  const secretFile = secretFileOf(settings);
  const keyFile = keyFileOf(file);
  if (withKey && !existsSync(secretFile)) throw new CommandRefused(`There are no keys at ${secretFile}.`);
  if (withKey && existsSync(keyFile)) throw new CommandRefused(`${keyFile} is there already.`);
  await copyDatabase(existingDatabase(settings), file, random);
  // Read after the copy: every key that the copy's secrets are sealed with is included.
  if (withKey) copyPrivately(readFileSync(secretFile, "utf8"), keyFile, random);
  print(`${file} contains the whole database as of the start of the copy, and has been checked`);
  print(
    withKey
      ? `WITH THE KEYS in ${keyFile}: a person who has both files can read every server token and webhook secret. Keep them apart.`
      : `WITHOUT THE KEYS: it cannot be used without a copy of ${secretFile}. Keep one, in another place.`,
  );
}

/** Creates a data folder from a backup; it must have no database. @throws CommandRefused, BackupRefused, KeyFileBroken, SystemError */
export function restore(deps: BackupCommandDeps, source: string): void {
  const { settings, random, print } = deps;
  const file = resolve(source);
  const database = databaseOf(settings);
  if (isPostgres(database))
    deps.wrongUsage(
      `This database is a PostgreSQL server's, and its own program fills it: pg_restore --exit-on-error --no-owner --dbname=${quoted(shown(database))} ${quoted(file)}`,
    );
  makeDataFolder(settings.data);
  const secretFile = secretFileOf(settings);
  const isKeyed = existsSync(keyFileOf(file));
  const keys = restoreDatabase(file, database, random);
  if (!existsSync(secretFile) && isKeyed) copyPrivately(readFileSync(keyFileOf(file), "utf8"), secretFile, random);
  print(`${database} is restored from ${file}`);
  const held = existsSync(secretFile) ? openKeyring(secretFile, random).fingerprints : new Map<string, string>();
  const missing = keys.filter(({ id, fingerprint }) => held.get(id) !== fingerprint).map(({ id }) => id);
  print(
    missing.length === 0
      ? `the keys that belong to it are in ${secretFile}`
      : `THE KEYS ARE MISSING (${missing.join(", ")}): put the file that belongs to it at ${secretFile} before the service is started`,
  );
}

function keyFileOf(file: string): string {
  return `${file}.key`;
}

/** The address without its password, which comes from `~/.pgpass` or `PGPASSWORD`. */
function shown(database: string): string {
  const url = new URL(database);
  url.password = "";
  url.searchParams.delete("password");
  return url.href;
}

/** Quotes text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
