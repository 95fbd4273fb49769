/** Reads outside transactions that a test lets fail, as its hook before each job and commit lets writes fail. */
import { storeRefusal } from "./refusal.ts";
import type { BulkReads } from "./sql.ts";

/** @param before called before each read: what it throws, the database has refused */
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
