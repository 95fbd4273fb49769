/** A database that cannot do its work at the moment is no fault of a request: everybody hears of it by one name, and may come again. */
import { NamedError } from "@porchlight/shared/kernel";

/** Seconds after which to come again. */
const RETRY_AFTER = 1;

const AWAY = "The database does not accept requests now.";
const IN_DOUBT = "The database did not confirm this change. Check whether it was made before you repeat the request.";

/** @param cause for the log */
export function storeRefusal(cause: unknown): NamedError {
  if (cause instanceof NamedError) return cause;
  return new NamedError("Service Unavailable", AWAY, { cause, retryAfter: RETRY_AFTER });
}

/** The database works for no request at the moment: another attempt now would fare no better. What was asked for was not done. */
export class StoreAway extends NamedError {
  /** @param cause for the log */
  constructor(cause: unknown) {
    super("Service Unavailable", AWAY, { cause, retryAfter: RETRY_AFTER });
  }
}

/** The commit was on its way when the database was lost: what it was to make so may be so, now or in a moment. */
export class CommitInDoubt extends NamedError {
  /** @param cause for the log */
  constructor(cause: unknown) {
    super("Service Unavailable", IN_DOUBT, { cause, retryAfter: RETRY_AFTER, outcome: "unknown" });
  }
}

/** Whether the database as a whole was the reason, of what its outage brings about everywhere. */
export function isOutage(error: unknown): error is StoreAway | CommitInDoubt {
  return error instanceof StoreAway || error instanceof CommitInDoubt;
}

/**
 * Whether nothing at all was heard of the database, for as long as is waited: requests behind it have waited as long. What the
 * driver says of its limits has no name but its text.
 */
export function isSilence(error: unknown): boolean {
  return (
    isOutage(error) && error instanceof Error && error.cause instanceof Error && /timeout/i.test(error.cause.message)
  );
}

/** SQLite result codes of a disk, a file or a lock, not of a statement (https://sqlite.org/rescode.html). */
const SQLITE = /^SQLITE_(BUSY|LOCKED|NOMEM|READONLY|IOERR|CORRUPT|FULL|CANTOPEN|PROTOCOL|NOTADB)/;
/** PostgreSQL's classes of errors of the server, not of a statement (its Appendix A), a server that only reads, and a database that is gone. */
const POSTGRES = /^(08|3D|40|53|57|58|XX|25006|25P03|55P03)/;
/** Of them those of two transactions that are in each other's way: alone, one may get through. */
const POSTGRES_CONFLICT = /^(40|55P03)/;
/** The connection or the server ended, and the commit is in doubt; of all other errors a commit is rolled back. */
const POSTGRES_ENDED = /^(08|40003|57P|58|XX)/;

/** Whether an error of SQLite says that the database cannot, rather than that the statement is wrong. */
export function isSqliteRefusal(code: string): boolean {
  return SQLITE.test(code);
}

/** The same for an error code of PostgreSQL. */
export function isPostgresRefusal(code: string): boolean {
  return POSTGRES.test(code);
}

/**
 * What is thrown for an error of SQLite.
 * @param code undefined when it is none of SQLite's
 */
export function sqliteError(error: unknown, code: string | undefined): unknown {
  return code !== undefined && isSqliteRefusal(code) ? new StoreAway(error) : error;
}

/** The same of a commit: where a write to the disk has failed, a start may find it whole. */
export function sqliteCommitError(error: unknown, code: string | undefined): unknown {
  return code?.startsWith("SQLITE_IOERR") ? new CommitInDoubt(error) : sqliteError(error, code);
}

/**
 * What is thrown for an error of a statement on PostgreSQL.
 * @param code undefined when the server has not said it: it is the connection's
 */
export function postgresError(error: unknown, code: string | undefined): unknown {
  if (error instanceof NamedError) return error;
  if (code === undefined) return new StoreAway(error);
  if (POSTGRES_CONFLICT.test(code)) return storeRefusal(error);
  return isPostgresRefusal(code) ? new StoreAway(error) : error;
}

/** The same of a commit that was sent. */
export function postgresCommitError(error: unknown, code: string | undefined): unknown {
  return code === undefined || POSTGRES_ENDED.test(code) ? new CommitInDoubt(error) : postgresError(error, code);
}

/** SQLite result codes of what a statement was given: a constraint, a type, a size, the number of its parameters. */
const SQLITE_RECORD = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;
/** PostgreSQL's classes of the same: cardinality, data, integrity, raised by a function, limits of a row. */
const POSTGRES_RECORD = /^(21|22|23|P0|54)/;
/** What JavaScript and zod throw of contents that are not as expected. Errors of our own classes decide for themselves. */
const OF_CONTENTS = new Set(["Error", "TypeError", "RangeError", "SyntaxError", "URIError"]);

/**
 * Whether an error is for what a record is: another attempt fares no better, and other records may fare well. Of an outage, a lost lease, a
 * statement that does not fit the tables, or the end of the process it is none.
 */
export function isOfRecord(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof NamedError) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "ERR_";
  const { name } = error;
  if (code.startsWith("ERR_")) return name === "ZodError" || (OF_CONTENTS.has(name) && error.constructor.name === name);
  return SQLITE_RECORD.test(code) || POSTGRES_RECORD.test(code);
}
