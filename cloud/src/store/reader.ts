/** Reads outside transactions: a store that cannot be reached is a named error here, as the write door has it for writes. */
import { NamedError } from "@porchlight/shared/kernel";
import type { Compilable } from "kysely";
import type { Sql } from "./sql.ts";
import type { Bound, Build, Statement } from "./statement.ts";

/** What the store itself has failed at, rather than who asked: a file that is busy or broken. */
const SQLITE_TROUBLE = /^SQLITE_(?:BUSY|LOCKED|IOERR|CORRUPT|NOTADB|FULL|CANTOPEN|READONLY|NOMEM|PROTOCOL|PERM)/;
/** SQLSTATE classes: connection, resources, operator's intervention, system; and a database that is not there. */
const POSTGRES_TROUBLE = /^(?:08|53|57P|58|3D)/;

export class Reader implements Sql {
  readonly build: Build;
  readonly #sql: Sql;
  readonly #before: (() => void) | undefined;

  /** @param before called before each read: what it throws, the store has refused */
  constructor(sql: Sql, before?: () => void) {
    this.build = sql.build;
    this.#sql = sql;
    this.#before = before;
  }

  /** @throws "Service Unavailable" */
  query<R>(query: Compilable<R>): Promise<R[]> {
    return this.#told(() => this.#sql.query(query));
  }

  /** @throws "Service Unavailable" */
  change(query: Compilable<unknown>): Promise<number> {
    return this.#told(() => this.#sql.change(query));
  }

  /** @throws "Service Unavailable" */
  all<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.#told(() => this.#sql.all(statement, params));
  }

  /** @throws "Service Unavailable" */
  run<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<number> {
    return this.#told(() => this.#sql.run(statement, params));
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#before?.();
      return await work();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      throw new NamedError("Service Unavailable", "The store cannot be read at the moment.", {
        cause: error,
        retryAfter: 1,
      });
    }
  }
}

/** Whether the same read may succeed later: what is wrong with the query itself never does. */
function isTrouble(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof NamedError) return false;
  const code = "code" in error ? String(error.code) : "";
  if (code.startsWith("SQLITE_")) return SQLITE_TROUBLE.test(code);
  if ("severity" in error) return POSTGRES_TROUBLE.test(code);
  // Of the network and of the pool; a mistake in the program has a class of its own.
  return error.constructor === Error || code !== "";
}
