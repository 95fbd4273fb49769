/** A database that cannot be opened is one sentence that says why. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreAway } from "./sql/refusal.ts";
import { Store } from "./store.ts";
import { DatabaseUnusable, unusable } from "./unusable.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-unusable-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => join(folder, ...names);
async function refusal(location: string): Promise<string> {
  const opened = Store.open({ location, clock: systemClock, ids: new IdMaker(systemClock, seededRandom(1)) });
  const error: unknown = await opened.then(
    () => "it was opened",
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(DatabaseUnusable);
  return error instanceof Error ? error.message : "";
}

describe("an SQLite database", () => {
  it("that is a folder is called so, and not damaged", async () => {
    mkdirSync(at("cloud.db"));
    expect(await refusal(at("cloud.db"))).toBe(
      `The database ${at("cloud.db")} is a folder: name a file in it with --database.`,
    );
  });

  it("whose folder is missing names the folder", async () => {
    expect(await refusal(at("nowhere", "cloud.db"))).toBe(
      `The database ${at("nowhere", "cloud.db")} cannot be made: there is no folder ${at("nowhere")}.`,
    );
  });

  it("that is another kind of file is called so", async () => {
    writeFileSync(at("cloud.db"), "a letter to a friend\n".repeat(100));
    expect(await refusal(at("cloud.db"))).toMatch(/is not an SQLite database, or its first page is damaged\. Move it/);
  });

  it("that the system does not let anybody open gives the system's reason", async () => {
    symlinkSync(at("cloud.db"), at("cloud.db"));
    expect(await refusal(at("cloud.db"))).toMatch(
      /cannot be opened: this user needs to read and write it .*\(ELOOP\)\.$/,
    );
  });

  it.each([
    ["SQLITE_FULL", "the disk is full"],
    ["SQLITE_READONLY_DIRECTORY", "read-only"],
    ["SQLITE_IOERR_WRITE", "the disk fails"],
    ["SQLITE_BUSY", "locked by another program"],
  ])("that fails with %s says what to look at, as it is opened and later", (code, words) => {
    const error = new Sqlite.SqliteError("database or disk is in the way", code);
    for (const failure of [error, new StoreAway(error)])
      expect(unusable("/data/cloud.db", failure)).toMatchObject({ message: expect.stringContaining(words) });
  });
});

describe("a PostgreSQL database", () => {
  it("that does not answer is named without its password, with the reason", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await new Promise((resolve) => server.close(resolve));
    expect(await refusal(`postgres://me:hush@127.0.0.1:${port}/porch`)).toBe(
      `The database postgres://127.0.0.1:${port}/porch cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
    );
  });

  it("of a name with several addresses gives the reason of each", () => {
    const each = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
    expect(unusable("postgres://localhost/porch", new StoreAway(new AggregateError(each)))).toMatchObject({
      message:
        "The database postgres://localhost/porch cannot be used: connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432.",
    });
  });

  it("that refuses the user is reported as such", () => {
    const error = Object.assign(new pg.DatabaseError('password authentication failed for user "me"', 90, "error"), {
      code: "28P01",
    });
    expect(unusable("postgres://me:hush@db/porch", error)).toMatchObject({
      message: 'The database postgres://db/porch cannot be used: password authentication failed for user "me".',
    });
  });
});

it("a mistake of the program keeps its stack", () => {
  for (const mistake of [new TypeError("x is not a function"), new Sqlite.SqliteError("near: syntax", "SQLITE_ERROR")])
    expect(unusable("/data/cloud.db", mistake)).toBe(mistake);
});
