/** How rows are asked for and changed, on either store, inside a transaction or on a connection that only reads. */
import type { Compilable } from "kysely";
import type { Bulk } from "./bulk.ts";
import type { Bound, Build, Statement } from "./statement.ts";

export interface Sql {
  /** Builder for queries off the hot path. */
  readonly build: Build;
  /** All rows of a query that is built for this once. */
  query<R>(query: Compilable<R>): Promise<R[]>;
  /** Runs a change that is built for this once; gives how many rows it changed. */
  change(query: Compilable<unknown>): Promise<number>;
  /** All rows of a statement that is prepared once. */
  all<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  /** Runs a prepared change; gives how many rows it changed. */
  run<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<number>;
}

/** Settles when all have. @throws what the first of them, in their order, has failed with: what comes after it may have failed for that */
export async function allOfThem(under: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(under)) if (result.status === "rejected") throw result.reason;
}

/** The first row, if any. */
export async function one<R>(rows: Promise<R[]>): Promise<R | undefined> {
  return (await rows)[0];
}

/** Reads of many at once. */
export interface BulkReads extends Sql {
  /** For each row of values all rows of the result, in the order of the values. */
  allOf<P extends Readonly<Record<string, Bound>>, R>(bulk: Bulk<P, R>, rows: readonly P[]): Promise<R[][]>;
}

/** Where writes are made. */
export interface BulkSql extends BulkReads {
  /** Runs a change for each row of values; no two of them may mean the same row of a table. */
  runOf<P extends Readonly<Record<string, Bound>>, R>(bulk: Bulk<P, R>, rows: readonly P[]): Promise<void>;
}

/** A connection that can also hold a transaction. */
export interface Connection extends BulkSql {
  /**
   * @param first asks what must be known before anything else in the transaction: in the same pipelined batch, where there are flights
   * @param isBrief on PostgreSQL: no statement may take long or wait long for a lock, as others wait for this transaction
   */
  begin(first?: () => readonly Promise<unknown>[], isBrief?: boolean): Promise<void>;
  /**
   * @param last statements that are under way: the commit goes in the same pipelined batch, where there are flights
   * @throws what the first of them failed with, in their order; nothing is committed then
   */
  commit(last?: readonly Promise<unknown>[]): Promise<void>;
  rollback(): Promise<void>;
  savepoint(): Promise<void>;
  releaseSavepoint(): Promise<void>;
  rollbackToSavepoint(): Promise<void>;
}

/** One of the two stores: how many may write at once, and how to get at connections. */
export interface Database {
  readonly dialect: "sqlite" | "postgres";
  /** Reads outside any transaction. */
  readonly reader: BulkReads;
  /** Its own wall clock, ms, where that may be another than the process's. */
  time?(): Promise<number>;
  /** Runs `work` alone on a connection that may write. */
  withWriter<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** The same without any limit on time. */
  withPatience<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
