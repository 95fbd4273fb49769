/** Reports of several ecosystems in one transaction when something goes wrong in it: the others are done, soon, and none twice. */

import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kindOf } from "../fresh-store.fixture.ts";
import type { KindSql, Store } from "../index.ts";
import { Holding, type TwoNodes, twoNodes } from "../two-nodes.fixture.ts";

const ECOS = Array.from({ length: 8 }, (_none, at) => `eco_${at}`);
const BAD = "eco_3";
const OTHERS = ECOS.filter((eco) => eco !== BAD);

let nodes: TwoNodes;
/** Which ecosystems were in a piece of work, of each that was begun. */
let works: string[][] = [];
/** What a job does when it is its ecosystem's turn. */
let harm: ((sql: KindSql) => Promise<unknown>) | undefined;
beforeEach(async () => {
  [works, harm] = [[], undefined];
  nodes = await twoNodes();
  // Each has its counter row.
  await Promise.all(ECOS.map((eco) => report(nodes.one, eco, "first")));
  works = [];
});
afterEach(() => nodes[Symbol.asyncDispose]());

const kind = kindOf<string, string>(async (tx, jobs) => {
  works.push(jobs.map(({ tx: { ecosystemId } }) => ecosystemId));
  if (jobs.some(({ tx: { ecosystemId } }) => ecosystemId === BAD)) await harm?.(tx);
  return jobs.map(({ tx: own, input }) => {
    own.append({ type: input, data: {} });
    return { status: "fulfilled", value: input };
  });
});
const report = (store: Store, eco: string, name: string) => store.writeReportOf(kind, eco, 1, name);

/** Lets all reports of one name meet in one transaction: the first, of an ecosystem that is none of them, keeps the others waiting. */
async function together(name: string, ecos: readonly string[] = ECOS): Promise<Map<string, Promise<string>>> {
  const before = report(nodes.one, "eco_before", name);
  await new Promise((resolve) => setImmediate(resolve));
  const asked = new Map(ecos.map((eco) => [eco, report(nodes.one, eco, name)]));
  for (const one of asked.values()) one.catch(() => undefined);
  await before;
  return asked;
}
const all = (asked: Map<string, Promise<string>>, ecos: readonly string[] = ECOS) =>
  Promise.all(ecos.map((eco) => asked.get(eco)));
async function types(eco: string): Promise<string[]> {
  const { one } = nodes;
  const rows = await one.service.query(one.of(eco).from("events").select(["sequence", "type"]).orderBy("sequence"));
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_row, at) => at + 1));
  return rows.map(({ type }) => type);
}
async function expectAll(names: readonly string[], ecos: readonly string[] = ECOS): Promise<void> {
  for (const eco of ecos) expect(await types(eco)).toEqual(["first", ...names]);
}
const ask = (tx: KindSql, text: string) => tx.query({ compile: () => sql.raw(text).compile(tx.build) });

describe("of ecosystems that share a transaction, one whose", () => {
  it("statement fails is found, refused alone, and shares none for a minute", async () => {
    harm = (tx) => ask(tx, "select 1 / 0");
    const asked = await together("second");
    await all(asked, OTHERS);
    await expect(asked.get(BAD)).rejects.toMatchObject({ code: "22012" });
    expect(works.some((one) => one.length > 1 && one.includes(BAD))).toBe(true);
    await expectAll(["second"], OTHERS);
    expect(await types(BAD)).toEqual(["first"]);
    expect(nodes.one.work.apart).toBe(1);

    harm = undefined;
    works = [];
    await all(await together("third"));
    expect(works).toContainEqual([BAD]);
    await expectAll(["second", "third"], OTHERS);
    await nodes.clock.advance(60_000);
    expect(nodes.one.work.apart).toBe(0);
    works = [];
    await all(await together("fourth"));
    expect(works.some((one) => one.length > 1 && one.includes(BAD))).toBe(true);
    expect(await types(BAD)).toEqual(["first", "third", "fourth"]);
  });

  it("row is held waits by itself, while the others are done and go on", async () => {
    await nodes.one.writeService((tx) => tx.change(tx.build.insertInto("letters").values({ ...LETTER, id: "held" })));
    await using held = await Holding.of(nodes.location, "select 1 from letters where id = 'held' for update");
    harm = (tx) => ask(tx, "update letters set attempts = attempts + 1 where id = 'held'");
    const asked = await together("second");
    // The row stays locked meanwhile.
    await all(asked, OTHERS);
    await all(await together("third", OTHERS), OTHERS);
    await expectAll(["second", "third"], OTHERS);
    await held.waited(1);
    expect(await types(BAD)).toEqual(["first"]);
    await held.release();
    expect(await asked.get(BAD)).toBe("second");
    expect(await types(BAD)).toEqual(["first", "second"]);
  });

  it("statement takes long is given up there, and has its time alone", async () => {
    harm = (tx) => ask(tx, "select pg_sleep(2)");
    const asked = await together("second");
    const done = await Promise.race([all(asked, OTHERS).then(() => "others"), asked.get(BAD)]);
    expect(done).toBe("others");
    expect(await asked.get(BAD)).toBe("second");
    await expectAll(["second"]);
  });

  it("connection is ended has done nothing, and is done again, once", async () => {
    let ended = 0;
    harm = async (tx) => {
      ended += 1;
      if (ended === 1) await ask(tx, "select pg_terminate_backend(pg_backend_pid())");
    };
    await all(await together("second"));
    await expectAll(["second"]);
    expect(ended).toBe(2);
  });
});

it("while a transaction takes long, others are made beside it", async () => {
  await using held = await Holding.of(nodes.location, "lock table letters in access exclusive mode");
  harm = (tx) => ask(tx, "select 1 from letters");
  const waits = report(nodes.one, BAD, "second");
  await held.waited(1);
  const beside = report(nodes.one, "eco_1", "second");
  await nodes.clock.advance(250);
  expect(await beside).toBe("second");
  await held.release();
  expect(await waits).toBe("second");
});

it("a node that has lost its lease is notified once, and writes nothing", async () => {
  const { one, other } = nodes;
  await other.writeService((tx) => tx.change(tx.build.deleteFrom("nodes").where("id", "=", one.nodeId)));
  const asked = await Promise.allSettled(ECOS.map((eco) => report(one, eco, "second")));
  for (const { status } of asked) expect(status).toBe("rejected");
  expect(works.length).toBeLessThanOrEqual(1);
  await expectAll([]);
});

it("a commit in doubt is reported as such, and not repeated", async () => {
  // The server ends while it commits: the deferred trigger runs within the commit.
  await Holding.of(nodes.location, DIES_IN_COMMIT).then((made) => made.release());
  const asked = await together("dies");
  const results = await Promise.allSettled(asked.values());
  for (const result of results)
    expect(result).toMatchObject({ status: "rejected", reason: { name: "Service Unavailable", outcome: "unknown" } });
  expect(works.flat().filter((eco) => eco === BAD)).toHaveLength(1);
  await expectAll([]);
});

const LETTER = { account_id: "acc_1", sealed: "", attempts: 0, next_at: 0, expires_at: 0, created_at: 0 };
const DIES_IN_COMMIT = `
  create function die() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
  create constraint trigger dies after insert on events deferrable initially deferred
    for each row when (new.type = 'dies' and new.ecosystem_id <> 'eco_before') execute function die()`;
