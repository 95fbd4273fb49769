/** Parses the location of the database: the path of an SQLite file, or the URL of a PostgreSQL server with its `sslmode`. */
import { z } from "zod";

/** As in libpq. `allow` and `prefer`, which fall back to no TLS silently, are refused. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];

/** Whether the database is a server, which other processes can use too. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

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
