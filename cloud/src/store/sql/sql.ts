/** The interface for reading and changing rows, on either store, inside a transaction or on a read-only connection. */
import type { Compilable } from "kysely";
import type { Bulk } from "./bulk.ts";
import type { Bound, Build, Statement } from "./statement.ts";

export interface Sql {
  /** Builder for queries off the hot path. */
  readonly build: Build;
  /** All rows of a query that is built for a single use. */
  query<R>(query: Compilable<R>): Promise<R[]>;
  /** Runs a change that is built for a single use; returns the number of changed rows. */
  change(query: Compilable<unknown>): Promise<number>;
  /** All rows of a statement that is prepared once. */
  all<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  /** Runs a prepared change; returns the number of changed rows. */
  run<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<number>;
}

/** Resolves when all have settled. @throws the first failure in their order: later ones may be its consequence */
export async function allOfThem(under: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(under)) if (result.status === "rejected") throw result.reason;
}

/** The first row, if any. */
export async function one<R>(rows: Promise<R[]>): Promise<R | undefined> {
  return (await rows)[0];
}

/** Reads for many rows of values. */
export interface BulkReads extends Sql {
  /** All result rows for each row of values, in the order of the values. */
  allOf<P extends Readonly<Record<string, Bound>>, R>(bulk: Bulk<P, R>, rows: readonly P[]): Promise<R[][]>;
}

/** The interface for writes. */
export interface BulkSql extends BulkReads {
  /** Runs a change for each row of values; no two of them may address the same row of a table. */
  runOf<P extends Readonly<Record<string, Bound>>, R>(bulk: Bulk<P, R>, rows: readonly P[]): Promise<void>;
}

/** A connection that can hold a transaction. */
export interface Connection extends BulkSql {
  /**
   * @param first sends the transaction's opening queries: in the same pipelined batch, on stores that pipeline
   * @param isBrief on PostgreSQL: limits the time of statements and lock waits, because others wait for this
   * transaction
   */
  begin(first?: () => readonly Promise<unknown>[], isBrief?: boolean): Promise<void>;
  /**
   * @param last statements in flight: the commit joins their pipelined batch, on stores that pipeline
   * @throws the first failure of these, in their order; nothing is committed then
   */
  commit(last?: readonly Promise<unknown>[]): Promise<void>;
  rollback(): Promise<void>;
  savepoint(): Promise<void>;
  releaseSavepoint(): Promise<void>;
  rollbackToSavepoint(): Promise<void>;
}

/** One of the two stores: its connections, and the number of concurrent writers. */
export interface Database {
  readonly dialect: "sqlite" | "postgres";
  /** Reads outside any transaction. */
  readonly reader: BulkReads;
  /** The database's wall clock, ms, where it may differ from the process's. */
  time?(): Promise<number>;
  /** Runs `work` with exclusive use of a connection that may write. */
  withWriter<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Runs `work` as `withWriter` does, without a time limit. */
  withPatience<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
