/**
 * Why a database cannot be opened, in one sentence for the operator. A failed start states what to do; a running
 * service only states that it waits for the database.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { sqlStateOf } from "./postgres/postgres.ts";
import { isOutage } from "./sql/refusal.ts";

/** The database cannot be opened; the message has the reason and, where possible, the remedy. */
export class DatabaseUnusable extends Error {}

const RESTORE = "Move it away with its -wal and -shm, and restore a backup.";

/** SQLite's result codes, without their extensions, and their explanations for operators. */
const SQLITE: readonly (readonly [prefix: string, why: string])[] = [
  ["SQLITE_NOTADB", `is not an SQLite database, or its first page is damaged. ${RESTORE}`],
  ["SQLITE_CORRUPT", `is damaged. ${RESTORE}`],
  ["SQLITE_FULL", "cannot be written: the disk is full."],
  ["SQLITE_READONLY", "cannot be written: the file or its file system is read-only."],
  ["SQLITE_IOERR", "cannot be read or written: the disk fails, or is full."],
  ["SQLITE_BUSY", "is locked by another program, whose transaction does not end."],
  ["SQLITE_CANTOPEN", "cannot be opened: the file or its folder refuses it."],
];

/** Errors of TLS connections, by Node.js's code or the driver's message. */
const TLS: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "has a certificate for another name than that of the address"],
  [
    /SELF_SIGNED|^UNABLE_TO_|^CERT_SIGNATURE_FAILURE$/,
    "has a certificate from a CA that is not trusted: name the file of its CA as `sslrootcert`",
  ],
  [/^CERT_HAS_EXPIRED$/, "has a certificate that has expired"],
  [/does not support SSL/, "has no TLS, which `sslmode` requires"],
];

/** SQLSTATEs of authentication and permissions: neither a programming error nor an outage. */
const REFUSED = /^(28|42501)/;

/**
 * Translates an error of opening a database.
 * @param location file path or `postgres://…`
 * @returns the same error when the database is not the cause: a programming error keeps its stack
 */
export function unusable(location: string, error: unknown): unknown {
  const why = whyNot(error);
  return why === undefined ? error : new DatabaseUnusable(`The database ${shown(location)} ${why}`, { cause: error });
}

/** @param found the finding of a check */
export function damaged(path: string, found: string): DatabaseUnusable {
  return new DatabaseUnusable(`The database ${path} is damaged (${found}). ${RESTORE}`);
}

/**
 * Reads the files that a PostgreSQL address names: the driver would fail at its first connection only, without the
 * file's name.
 * @throws DatabaseUnusable
 */
export function requireUsableFiles(location: string): void {
  for (const [name, path] of new URLSearchParams(location.split("?")[1])) {
    if (!["sslrootcert", "sslcert", "sslkey"].includes(name)) continue;
    try {
      const pem = readFileSync(path);
      if (name === "sslkey") createPrivateKey(pem);
      else new X509Certificate(pem);
    } catch (cause) {
      const code = cause instanceof Error && "syscall" in cause && "code" in cause ? cause.code : "it is no PEM file";
      const why = `cannot be used: the file ${path} of \`${name}\` cannot be read (${code}).`;
      throw new DatabaseUnusable(`The database ${shown(location)} ${why}`, { cause });
    }
  }
}

/** Distinguishes the causes that SQLite reports with one code. @throws DatabaseUnusable */
export function requireUsablePlace(path: string): void {
  const why = whyPlace(path, dirname(resolve(path)));
  if (why !== undefined) throw new DatabaseUnusable(`The database ${path} ${why}`);
}

function whyNot(error: unknown): string | undefined {
  const cause = isOutage(error) ? (error.cause ?? error) : error;
  if (cause instanceof Sqlite.SqliteError) return SQLITE.find(([prefix]) => cause.code.startsWith(prefix))?.[1];
  const tls = TLS.find(([pattern]) => pattern.test(codeOf(cause)) || pattern.test(messageOf(cause)))?.[1];
  if (isOutage(error) && tls !== undefined) return `cannot be used: the server ${tls} (${messageOf(cause)}).`;
  if (isOutage(error) || REFUSED.test(sqlStateOf(cause) ?? "")) return `cannot be used: ${messageOf(cause)}.`;
  return undefined;
}

function whyPlace(path: string, folder: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return "is a folder: name a file in it with --database.";
    if (!existsSync(folder)) return `cannot be made: there is no folder ${folder}.`;
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (stats) accessSync(path, constants.R_OK | constants.W_OK);
  } catch (refused) {
    const code = refused instanceof Error && "code" in refused ? refused.code : refused;
    return `cannot be opened: this user needs to read and write it and its folder (${code}).`;
  }
  return undefined;
}

/** The location without user and password. */
function shown(location: string): string {
  if (!location.includes("://")) return location;
  if (!URL.canParse(location)) return "of the settings";
  const { protocol, host, pathname } = new URL(location);
  return `${protocol}//${host}${pathname}`;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

/** When a name has several addresses, each attempt has a message, and the error that combines them has none. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join("; ");
  return cause instanceof Error ? cause.message.replaceAll(/\s+/g, " ").replace(/\.$/, "") : String(cause);
}
