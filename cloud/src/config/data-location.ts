/** Where the service keeps its data: the folder, and the database. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";

/** The folder cannot be made; the message states the reason. */
export class DataFolderBroken extends Error {}

/**
 * Makes the missing folders, accessible to their owner only, one level at a time: Node's recursive mkdir never ends where the kernel
 * reports ENOENT for a parent. @throws DataFolderBroken
 */
export function makeDataFolder(path: string): void {
  const folder = resolve(path);
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const each of missing) mkdirSync(each, { mode: 0o700 });
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw new DataFolderBroken(`The data folder ${folder} cannot be created (${why}). Choose another with --data.`, {
      cause,
    });
  }
  if (!statSync(folder).isDirectory())
    throw new DataFolderBroken(`The data folder ${folder} is a file. Choose another with --data.`);
}

/** Bytes that an unprivileged user can still write in a folder; NaN where the system does not report it. */
export async function freeBytesIn(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}

/** As in libpq. `allow` and `prefer`, which fall back to no TLS silently, are refused. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];

/** Whether the database is a server, which other processes can use too. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

/** Parses the location of the database: the path of an SQLite file, or the URL of a PostgreSQL server with its `sslmode`. */
export const databaseLocation = z
  .string()
  .min(1)
  .superRefine((location, context) => {
    const fault = isPostgres(location) ? addressFault(location) : pathFault(location);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });

function addressFault(location: string): string | undefined {
  // As in libpq, the URL may have a user and no host: the host is then a parameter.
  if (!URL.canParse(location.replace("@/", "@localhost/")))
    return "must be an address such as postgres://user:password@host/database";
  const parameters = new URLSearchParams(location.split("?")[1]);
  const mode = parameters.get("sslmode");
  const hasCa = parameters.has("sslrootcert");
  if (mode !== null && !SSL_MODES.includes(mode)) return `must have one of ${SSL_MODES.join(", ")} as \`sslmode\``;
  if (mode === "verify-ca" && !hasCa) return "must have `sslrootcert`, the file of the CA, beside `sslmode=verify-ca`";
  if (hasCa && (mode === null || mode === "disable"))
    return "must have `sslmode=verify-full` or `verify-ca` beside `sslrootcert`";
  return undefined;
}

function pathFault(location: string): string | undefined {
  return location.includes("://")
    ? "must begin with postgres:// or postgresql://, or be the path of a file"
    : undefined;
}
