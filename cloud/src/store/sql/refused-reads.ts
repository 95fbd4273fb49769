/** Lets a test fail reads outside transactions, as the `before` hook of jobs and commits fails writes. */
import { storeRefusal } from "./refusal.ts";
import type { BulkReads } from "./sql.ts";

/** @param before called before each read: an error of it counts as the database's refusal */
export function refusedReads(sql: BulkReads, before: () => void): BulkReads {
  const told = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      before();
    } catch (error) {
      throw storeRefusal(error);
    }
    return read();
  };
  return {
    build: sql.build,
    query: (query) => told(() => sql.query(query)),
    change: (query) => told(() => sql.change(query)),
    all: (statement, params) => told(() => sql.all(statement, params)),
    run: (statement, params) => told(() => sql.run(statement, params)),
    allOf: (bulk, rows) => told(() => sql.allOf(bulk, rows)),
  };
}
