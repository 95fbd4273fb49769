import { NamedError } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { Reader } from "./reader.ts";
import type { Sql } from "./sql.ts";
import { BUILDERS } from "./statement.ts";

const failing = (error: unknown): Reader => {
  const fail = () => Promise.reject(error);
  const sql: Sql = { build: BUILDERS.sqlite, query: fail, change: fail, all: fail, run: fail };
  return new Reader(sql);
};
const query = BUILDERS.sqlite.selectFrom("accounts").select("id");
const coded = (message: string, more: object) => Object.assign(new Error(message), more);

describe("a read that the store does not answer", () => {
  it.each([
    ["a server that is not there", coded("connect ECONNREFUSED", { code: "ECONNREFUSED" })],
    ["a connection that breaks", new Error("Connection terminated unexpectedly")],
    ["a server that is being stopped", coded("terminating connection", { code: "57P01", severity: "FATAL" })],
    ["a database that is gone", coded("no such database", { code: "3D000", severity: "FATAL" })],
    ["a disk that fails", coded("disk I/O error", { code: "SQLITE_IOERR_READ" })],
    ["a file that is no database", coded("file is not a database", { code: "SQLITE_NOTADB" })],
  ])("is told as such, and worth another try: %s", async (_, error) => {
    await expect(failing(error).query(query)).rejects.toMatchObject({
      name: "Service Unavailable",
      retryAfter: 1,
      cause: error,
    });
  });

  it.each([
    ["no such table", coded("no such table", { code: "SQLITE_ERROR" })],
    ["undefined column", coded("undefined column", { code: "42703", severity: "ERROR" })],
    ["a mistake in the program", new TypeError("x is not a function")],
    ["what has a name already", new NamedError("Device Not Found")],
  ])("is passed on as it is when the query is at fault: %s", async (_, error) => {
    await expect(failing(error).query(query)).rejects.toBe(error);
  });

  it("is one that the fault of a test has refused", async () => {
    const reader = new Reader(failing(new Error("not reached")), () => {
      throw new Error("the disk refuses");
    });
    await expect(reader.query(query)).rejects.toMatchObject({ name: "Service Unavailable" });
  });
});
