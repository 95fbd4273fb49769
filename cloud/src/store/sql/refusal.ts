/**
 * Names the failures of a database that is temporarily unable to work, and reports its outages: the caller of a failed statement is not
 * at fault, gets one error name, and may retry.
 */
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import type { BulkReads } from "./sql.ts";

/** Seconds until a retry. */
const RETRY_AFTER = 1;

const AWAY = "The database does not accept requests now.";
const IN_DOUBT = "The database did not confirm this change. Check whether it was made before you repeat the request.";

/** @param cause for the log */
export function storeRefusal(cause: unknown): NamedError {
  if (cause instanceof NamedError) return cause;
  return new NamedError("Service Unavailable", AWAY, { cause, retryAfter: RETRY_AFTER });
}

/** The database currently works for no request: a retry now would fail too. The requested change was not made. */
export class StoreAway extends NamedError {
  /** @param cause for the log */
  constructor(cause: unknown) {
    super("Service Unavailable", AWAY, { cause, retryAfter: RETRY_AFTER });
  }
}

/** The connection was lost during the commit: its changes may be committed, now or in a moment. */
export class CommitInDoubt extends NamedError {
  /** @param cause for the log */
  constructor(cause: unknown) {
    super("Service Unavailable", IN_DOUBT, { cause, retryAfter: RETRY_AFTER, outcome: "unknown" });
  }
}

/** Whether the database as a whole was the cause. */
export function isOutage(error: unknown): error is StoreAway | CommitInDoubt {
  return error instanceof StoreAway || error instanceof CommitInDoubt;
}

/**
 * Whether the database did not answer at all within the timeout: requests queued behind it have waited as long. The
 * driver's own timeouts are recognised by their text only.
 */
export function isSilence(error: unknown): boolean {
  return (
    isOutage(error) && error instanceof Error && error.cause instanceof Error && /timeout/i.test(error.cause.message)
  );
}

/** SQLite result codes caused by a disk, a file or a lock, and not by a statement (https://sqlite.org/rescode.html). */
const SQLITE = /^SQLITE_(BUSY|LOCKED|NOMEM|READONLY|IOERR|CORRUPT|FULL|CANTOPEN|PROTOCOL|NOTADB)/;
/** PostgreSQL's error classes of the server and not of a statement (its Appendix A), of a read-only server, and of a missing database. */
const POSTGRES = /^(08|3D|40|53|57|58|XX|25006|25P03|55P03)/;
/** The subset for conflicts of two transactions: one of them may succeed alone. */
const POSTGRES_CONFLICT = /^(40|55P03)/;
/** The connection or the server ended, which leaves the commit in doubt; after any other error it is rolled back. */
const POSTGRES_ENDED = /^(08|40003|57P|58|XX)/;

/** Whether an SQLite error means that the database cannot work; otherwise the statement is wrong. */
export function isSqliteRefusal(code: string): boolean {
  return SQLITE.test(code);
}

/** Whether a PostgreSQL error means that the database cannot work; otherwise the statement is wrong. */
export function isPostgresRefusal(code: string): boolean {
  return POSTGRES.test(code);
}

/**
 * Translates an SQLite error.
 * @param code undefined when the error is not SQLite's
 */
export function sqliteError(error: unknown, code: string | undefined): unknown {
  return code !== undefined && isSqliteRefusal(code) ? new StoreAway(error) : error;
}

/** Translates an SQLite error of a commit: after a failed disk write, the next start may find it committed. */
export function sqliteCommitError(error: unknown, code: string | undefined): unknown {
  return code?.startsWith("SQLITE_IOERR") ? new CommitInDoubt(error) : sqliteError(error, code);
}

/**
 * Translates a PostgreSQL error of a statement.
 * @param code undefined when the server sent none: the connection is the cause
 */
export function postgresError(error: unknown, code: string | undefined): unknown {
  if (error instanceof NamedError) return error;
  if (code === undefined) return new StoreAway(error);
  if (POSTGRES_CONFLICT.test(code)) return storeRefusal(error);
  return isPostgresRefusal(code) ? new StoreAway(error) : error;
}

/** Translates the error of a commit that was sent. */
export function postgresCommitError(error: unknown, code: string | undefined): unknown {
  return code === undefined || POSTGRES_ENDED.test(code) ? new CommitInDoubt(error) : postgresError(error, code);
}

/** SQLite result codes caused by a statement's values: a constraint, a type, a size, the number of its parameters. */
const SQLITE_RECORD = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;
/** PostgreSQL's error classes for the same: cardinality, data, integrity, raised by a function, limits of a row. */
const POSTGRES_RECORD = /^(21|22|23|P0|54)/;
/** Errors that JavaScript and zod throw for unexpected contents. Our own error classes decide for themselves. */
const OF_CONTENTS = new Set(["Error", "TypeError", "RangeError", "SyntaxError", "URIError"]);

/**
 * Whether a record's contents cause an error: a retry fails again, and other records may succeed. False for an outage,
 * a lost lease, a statement that does not match the tables, and the end of the process.
 */
export function isOfRecord(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof NamedError) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "ERR_";
  const { name } = error;
  if (code.startsWith("ERR_")) return name === "ZodError" || (OF_CONTENTS.has(name) && error.constructor.name === name);
  return SQLITE_RECORD.test(code) || POSTGRES_RECORD.test(code);
}

/** Reads can work while writes fail: on a full disk, or a read-only server. */
export type StoreWork = "reads" | "writes";

export interface Outage {
  readonly work: StoreWork;
  /** The first failure. */
  readonly error: NamedError;
  /** Monotonic ms. */
  readonly since: number;
}

export interface OutageListener {
  began(outage: Outage): void;
  /** @param lastedMs time since the first failure */
  ended(outage: Outage, lastedMs: number): void;
}

/**
 * Whether the database works, as failing reads and writes show: an outage is reported once when it begins and once when
 * it ends, however many requests fail during it.
 */
export class Outages {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #listener: OutageListener | undefined;
  readonly #standing = new Map<StoreWork, Outage>();

  constructor(clock: Pick<Clock, "monotonic">, listener: OutageListener | undefined) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** The current outage; if both kinds fail, that of the writes. */
  get now(): Outage | undefined {
    return this.#standing.get("writes") ?? this.#standing.get("reads");
  }

  /** Whether this kind of work has no outage. */
  isAvailable(work: StoreWork): boolean {
    return !this.#standing.has(work);
  }

  /** @param error ignored when it is not an outage */
  failed(work: StoreWork, error: NamedError): void {
    if (!isOutage(error) || this.#standing.has(work)) return;
    const outage = { work, error, since: this.#clock.monotonic() };
    this.#standing.set(work, outage);
    this.#listener?.began(outage);
  }

  worked(work: StoreWork): void {
    const outage = this.#standing.get(work);
    if (!outage) return;
    this.#standing.delete(work);
    this.#listener?.ended(outage, this.#clock.monotonic() - outage.since);
  }
}

/** Wraps reads outside transactions, and reports their outages. */
export function watchedReads(sql: BulkReads, outages: Outages): BulkReads {
  const reported = async <T>(read: Promise<T>): Promise<T> => {
    try {
      const found = await read;
      outages.worked("reads");
      return found;
    } catch (error) {
      if (isOutage(error)) outages.failed("reads", error);
      throw error;
    }
  };
  return {
    build: sql.build,
    query: (query) => reported(sql.query(query)),
    change: (query) => reported(sql.change(query)),
    all: (statement, params) => reported(sql.all(statement, params)),
    run: (statement, params) => reported(sql.run(statement, params)),
    allOf: (bulk, rows) => reported(sql.allOf(bulk, rows)),
  };
}
