/** What a caller hears when the database cannot. */
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { describe, expect, inject, it } from "vitest";
import { freshLocation } from "../fresh-store.fixture.ts";
import { Store } from "../index.ts";
import { isPostgresRefusal, isSqliteRefusal } from "./refusal.ts";

const open = (location: string) =>
  Store.open({ location, clock: systemClock, ids: new IdMaker(systemClock, seededRandom(1)) });

describe("a database that cannot do its work", () => {
  it("is Service Unavailable to a reader and to a writer, and to come again for", async () => {
    await using fresh = await freshLocation();
    await (await open(fresh.location))[Symbol.asyncDispose]();
    await using store = await open(fresh.location);
    const refused = { name: "Service Unavailable", status: 503, retryAfter: 1 };
    if (inject("postgres") === undefined) {
      overwrite(fresh.location);
      const users = store.of("eco_a").from("users").selectAll();
      await expect(store.service.query(users)).rejects.toMatchObject(refused);
      await expect(store.write("eco_a", (tx) => tx.query(users))).rejects.toMatchObject(refused);
    } else {
      const end = sql`select pg_terminate_backend(pg_backend_pid())`;
      const query = { compile: () => end.compile(store.service.build) };
      await expect(store.service.query(query)).rejects.toMatchObject(refused);
      await expect(store.write("eco_a", (tx) => tx.query(query))).rejects.toMatchObject(refused);
    }
  });

  it("does not hide a statement that is wrong", async () => {
    await using fresh = await freshLocation();
    await using store = await open(fresh.location);
    const wrong = { compile: () => sql`select nothing from nowhere`.compile(store.service.build) };
    await expect(store.service.query(wrong)).rejects.not.toMatchObject({ name: "Service Unavailable" });
    await expect(store.write("eco_a", (tx) => tx.query(wrong))).rejects.not.toMatchObject({
      name: "Service Unavailable",
    });
  });

  it("is one that a test lets fail", async () => {
    await using fresh = await freshLocation();
    await (await open(fresh.location))[Symbol.asyncDispose]();
    const ids = new IdMaker(systemClock, seededRandom(1));
    const beforeReading = () => {
      throw new Error("the disk refuses");
    };
    await using store = await Store.open({ location: fresh.location, clock: systemClock, ids, beforeReading });
    const users = store.of("eco_a").from("users").selectAll();
    await expect(store.service.query(users)).rejects.toMatchObject({ name: "Service Unavailable" });
  });

  it.each([
    ["SQLITE_FULL", true],
    ["SQLITE_IOERR_FSYNC", true],
    ["SQLITE_BUSY_SNAPSHOT", true],
    ["SQLITE_CONSTRAINT_PRIMARYKEY", false],
    ["SQLITE_ERROR", false],
  ])("SQLite: %s, %s", (code, refusal) => {
    expect(isSqliteRefusal(code)).toBe(refusal);
  });

  it.each([
    ["57P01 the server goes down", true],
    ["53100 the disk is full", true],
    ["40001 a transaction that has to come again", true],
    ["25006 the server only reads", true],
    ["3D000 the database is gone", true],
    ["23505 a key that is there", false],
    ["42P01 a table that is not", false],
  ])("PostgreSQL: %s, %s", (code, refusal) => {
    expect(isPostgresRefusal(code)).toBe(refusal);
  });
});

/** All pages but the first become noise. */
function overwrite(path: string): void {
  const file = openSync(path, "r+");
  const page = 4096;
  writeSync(file, Buffer.alloc(statSync(path).size - page, 0xa5), 0, undefined, page);
  closeSync(file);
}
