/** A database that cannot do its work at the moment is no fault of a request: everybody hears of it by one name, and may come again. */
import { NamedError } from "@porchlight/shared/kernel";

/** Seconds after which to come again. */
const RETRY_AFTER = 1;

/** @param cause for the log */
export function storeRefusal(cause: unknown): NamedError {
  if (cause instanceof NamedError) return cause;
  const why = "The store does not take requests at the moment.";
  return new NamedError("Service Unavailable", why, { cause, retryAfter: RETRY_AFTER });
}

/** SQLite result codes of a disk, a file or a lock, not of a statement (https://sqlite.org/rescode.html). */
const SQLITE = /^SQLITE_(BUSY|LOCKED|NOMEM|READONLY|IOERR|CORRUPT|FULL|CANTOPEN|PROTOCOL|NOTADB)/;
/** PostgreSQL's classes of errors of the server, not of a statement (its Appendix A), a server that only reads, and a database that is gone. */
const POSTGRES = /^(08|3D|40|53|57|58|XX|25006|55P03)/;

/** Whether an error of SQLite says that the database cannot, rather than that the statement is wrong. */
export function isSqliteRefusal(code: string): boolean {
  return SQLITE.test(code);
}

/** The same for an error code of PostgreSQL. */
export function isPostgresRefusal(code: string): boolean {
  return POSTGRES.test(code);
}
