/** Which errors set a record aside, what becomes of the rest of its batch, and what operators see of it. */
import { type LogFields, NamedError, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CommitInDoubt, isOfRecord, StoreAway } from "../sql/refusal.ts";
import { SetAside } from "./set-aside.ts";

const coded = (code: string) => Object.assign(new Error("refused"), { code });
class OwnError extends Error {}

function thrown(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("an error", () => {
  it.each([
    ["a constraint of SQLite", coded("SQLITE_CONSTRAINT_NOTNULL")],
    ["a value that is too large for SQLite", coded("SQLITE_TOOBIG")],
    ["U+0000 in a text of PostgreSQL", coded("22021")],
    ["a number that is out of range on PostgreSQL", coded("22003")],
    ["a constraint of PostgreSQL", coded("23502")],
    ["a row that is too large for PostgreSQL", coded("54000")],
    ["contents that are no JSON", thrown(() => JSON.parse("{"))],
    ["contents of another shape", thrown(() => z.string().parse(1))],
    ["a number that is none", thrown(() => BigInt(0.5))],
    ["an argument that Node.js refuses", thrown(() => Buffer.from(1 as unknown as string))],
  ])("of %s is of the record", (_, error) => {
    expect(isOfRecord(error)).toBe(true);
  });

  it.each([
    ["a database that does not answer", new StoreAway(coded("57P01"))],
    ["a commit in doubt", new CommitInDoubt(coded("08006"))],
    ["a service that cannot now", new NamedError("Service Unavailable")],
    ["a statement that does not fit the tables of SQLite", coded("SQLITE_ERROR")],
    ["a statement that does not fit the tables of PostgreSQL", coded("42703")],
    ["a full disk", coded("SQLITE_FULL")],
    ["a connection that broke", coded("ECONNRESET")],
    ["an error class that its loop handles", new OwnError("superseded")],
    ["an abort", AbortSignal.abort().reason],
    ["what is no error", "refused"],
  ])("of %s is none of the record", (_, error) => {
    expect(isOfRecord(error)).toBe(false);
  });
});

describe("a batch", () => {
  const clock = new VirtualClock();
  const logged: LogFields[] = [];
  const log = { ...silentLog, error: (fields: LogFields) => void logged.push(fields) };
  const of = { loop: "history", log, about: (record: number) => ({ record }) } as const;
  const work = (done: number[], fails: (record: number) => unknown) => async (part: readonly number[]) => {
    for (const record of part) {
      const error = fails(record);
      if (error) throw error;
    }
    done.push(...part);
  };

  it("with bad records has all others done, and each bad one set aside by its rule, counted and logged", async () => {
    const setAside = new SetAside(clock);
    const [done, aside]: [number[], number[]] = [[], []];
    const isBad = (record: number) => (record % 4 === 1 ? coded("SQLITE_CONSTRAINT") : undefined);
    const count = await setAside.each([0, 1, 2, 3, 4, 5], {
      ...of,
      work: work(done, isBad),
      aside: async (record) => void aside.push(record),
    });
    expect([count, done, aside]).toEqual([2, [0, 2, 3, 4], [1, 5]]);
    expect([...setAside.counts]).toEqual([["history", 2]]);
    expect(logged.map(({ record, loop }) => [loop, record])).toEqual([
      ["history", 1],
      ["history", 5],
    ]);
  });

  it("is tried again whole when the database is the reason", async () => {
    const setAside = new SetAside(clock);
    const done: number[] = [];
    const away = new StoreAway(new Error("no connection"));
    const tried = setAside.each([0, 1, 2], { ...of, work: work(done, (record) => record === 1 && away) });
    await expect(tried).rejects.toBe(away);
    expect([done, [...setAside.counts], setAside.warning]).toEqual([[], [], undefined]);
  });

  it("of bad records only does not fill the log", async () => {
    const setAside = new SetAside(clock);
    logged.length = 0;
    const all = Array.from({ length: 100 }, (_, at) => at);
    await setAside.each(all, { ...of, work: work([], () => new TypeError("bad")) });
    expect([setAside.counts.get("history"), logged.length]).toEqual([100, 10]);
    await clock.advance(60_000);
    await setAside.each([1], { ...of, work: work([], () => new TypeError("bad")) });
    expect(logged.length).toBe(11);
  });

  it("with a bad record warns operators for an hour", async () => {
    const setAside = new SetAside(clock);
    setAside.one(1, of, () => JSON.parse("{"));
    expect(setAside.warning).toContain("(history)");
    await clock.advance(3_600_001);
    expect(setAside.warning).toBeUndefined();
  });
});
