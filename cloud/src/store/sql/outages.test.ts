import { VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { CommitInDoubt, isSilence, type Outage, Outages, StoreAway, storeRefusal, watchedReads } from "./refusal.ts";
import type { BulkReads } from "./sql.ts";
import { BUILDERS } from "./statement.ts";

const away = new StoreAway(new Error("the disk is full"));

function told() {
  const clock = new VirtualClock();
  const said: string[] = [];
  const outages = new Outages(clock, {
    began: ({ work, error }: Outage) => said.push(`${work} began: ${error.name}`),
    ended: ({ work }, lastedMs) => said.push(`${work} ended after ${lastedMs}`),
  });
  return { clock, said, outages };
}

describe("an outage of the database", () => {
  it("is told once when it begins and once when it ends, however much fails meanwhile", async () => {
    const { clock, said, outages } = told();
    for (let n = 0; n < 3; n++) outages.failed("writes", away);
    await clock.advance(1500);
    outages.failed("writes", new CommitInDoubt(new Error("gone")));
    expect(outages.now).toMatchObject({ work: "writes", error: away });
    for (let n = 0; n < 2; n++) outages.worked("writes");
    expect(said).toEqual(["writes began: Service Unavailable", "writes ended after 1500"]);
    expect(outages.now).toBeUndefined();
  });

  it("of the writes does not end because reads go on", () => {
    const { said, outages } = told();
    outages.failed("writes", away);
    outages.worked("reads");
    expect(outages.now?.work).toBe("writes");
    expect(said).toHaveLength(1);
    expect([outages.isAvailable("reads"), outages.isAvailable("writes")]).toEqual([true, false]);
  });

  it("is none when a single transaction was refused", () => {
    const { said, outages } = told();
    outages.failed("writes", storeRefusal(new Error("deadlock detected")));
    expect(said).toEqual([]);
  });

  it("is found out by reads too, which are refused as before", async () => {
    const { said, outages } = told();
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
    expect(said).toEqual(["reads began: Service Unavailable", "reads ended after 0"]);
  });

  it("that is one of silence is known, because whoever stands behind has waited as long", () => {
    expect(isSilence(new StoreAway(new Error("Query read timeout")))).toBe(true);
    expect(isSilence(new CommitInDoubt(new Error("Query read timeout")))).toBe(true);
    expect(isSilence(away)).toBe(false);
    expect(isSilence(storeRefusal(new Error("lock timeout")))).toBe(false);
  });
});
