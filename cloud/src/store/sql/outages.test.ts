import { VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { CommitInDoubt, isSilence, type Outage, Outages, StoreAway, storeRefusal, watchedReads } from "./refusal.ts";
import type { BulkReads } from "./sql.ts";
import { BUILDERS } from "./statement.ts";

const away = new StoreAway(new Error("the disk is full"));

function recording() {
  const clock = new VirtualClock();
  const reported: string[] = [];
  const outages = new Outages(clock, {
    began: ({ work, error }: Outage) => reported.push(`${work} began: ${error.name}`),
    ended: ({ work }, lastedMs) => reported.push(`${work} ended after ${lastedMs}`),
  });
  return { clock, reported, outages };
}

describe("an outage of the database", () => {
  it("is reported once when it begins and once when it ends, however much fails meanwhile", async () => {
    const { clock, reported, outages } = recording();
    for (let n = 0; n < 3; n++) outages.failed("writes", away);
    await clock.advance(1500);
    outages.failed("writes", new CommitInDoubt(new Error("gone")));
    expect(outages.now).toMatchObject({ work: "writes", error: away });
    for (let n = 0; n < 2; n++) outages.worked("writes");
    expect(reported).toEqual(["writes began: Service Unavailable", "writes ended after 1500"]);
    expect(outages.now).toBeUndefined();
  });

  it("of the writes does not end because reads go on", () => {
    const { reported, outages } = recording();
    outages.failed("writes", away);
    outages.worked("reads");
    expect(outages.now?.work).toBe("writes");
    expect(reported).toHaveLength(1);
    expect([outages.isAvailable("reads"), outages.isAvailable("writes")]).toEqual([true, false]);
  });

  it("is none when a single transaction was refused", () => {
    const { reported, outages } = recording();
    outages.failed("writes", storeRefusal(new Error("deadlock detected")));
    expect(reported).toEqual([]);
  });

  it("is found out by reads too, which are refused as before", async () => {
    const { reported, outages } = recording();
    let failing = true;
    const read = async () => {
      if (failing) throw away;
      return [];
    };
    const writes = { change: async () => 0, run: async () => 0 };
    const sql: BulkReads = { build: BUILDERS.sqlite, query: read, all: read, allOf: read, ...writes };
    const watched = watchedReads(sql, outages);
    const query = { compile: () => BUILDERS.sqlite.selectFrom("nodes").selectAll().compile() };
    await expect(watched.query(query)).rejects.toBe(away);
    failing = false;
    await watched.query(query);
    expect(reported).toEqual(["reads began: Service Unavailable", "reads ended after 0"]);
  });

  it("that consists of silence is known, because queued work has waited as long", () => {
    expect(isSilence(new StoreAway(new Error("Query read timeout")))).toBe(true);
    expect(isSilence(new CommitInDoubt(new Error("Query read timeout")))).toBe(true);
    expect(isSilence(away)).toBe(false);
    expect(isSilence(storeRefusal(new Error("lock timeout")))).toBe(false);
  });
});
