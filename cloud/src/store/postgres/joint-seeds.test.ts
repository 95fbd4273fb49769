/**
 * Hubs of several ecosystems report by kinds of jobs while the store fails at random, on either database: whichever part fails, and when, each report
 * counts once, in the order of its hub, and what was acknowledged is there.
 */
import { IdMaker, type Random, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { describe, expect, inject, it } from "vitest";
import { rounds } from "../../../../test/parts/rounds.ts";
import { freshLocation, kindOf } from "../fresh-store.fixture.ts";
import { bulk, type KindSql, Store, statement } from "../index.ts";

const ECOSYSTEMS = 6;
const HUBS = 2;
const REPORTS = 12;
/** Reports of a hub that are not acknowledged yet. */
const PIPELINED = 3;

interface Report {
  readonly hub: string;
  readonly number: number;
  /** What it does to everybody who shares its transaction. */
  readonly harm?: string | undefined;
}

type Hub = { eco: string; hub: string };
const positions = bulk(
  statement<Hub>("position_of_test")((db, p) =>
    db.selectFrom("users").select("key").where("ecosystem_id", "=", p.eco).where("id", "=", p.hub),
  ),
  { eco: "text", hub: "text" },
);
const setPositions = bulk(
  statement<Hub & { key: string }>("set_position_of_test")((db, p) =>
    db.updateTable("users").set({ key: p.key }).where("ecosystem_id", "=", p.eco).where("id", "=", p.hub),
  ),
  { eco: "text", hub: "text", key: "text" },
);
const keyOf = (hub: string, position: number) => `${hub} ${position}`;

/**
 * Of the ecosystems that were in one piece of work, the most. Before some were, nothing fails and only hubs write: what fails is set apart,
 * and an ecosystem with a caller's change goes alone.
 */
let mostTogether = 0;

/** As batches of hubs' histories are applied: over no gap, and nothing twice. */
const reports = kindOf<Report, number>(async (db, jobs) => {
  const hubs = [...new Map(jobs.map(({ tx, input: { hub } }) => [hub, { eco: tx.ecosystemId, hub }])).values()];
  mostTogether = Math.max(mostTogether, new Set(hubs.map(({ eco }) => eco)).size);
  const found = await db.allOf(positions, hubs);
  const at = new Map(hubs.map(({ hub }, which) => [hub, Number(found[which]?.[0]?.key.split(" ")[1])]));
  for (const { input } of jobs) if (input.harm !== undefined) await ask(db, input.harm);
  const moved = new Set<string>();
  const results = jobs.map(({ tx, input: { hub, number } }): PromiseSettledResult<number> => {
    const position = at.get(hub) ?? Number.NaN;
    if (number > position + 1) return { status: "rejected", reason: new Error("a gap") };
    if (number <= position) return { status: "fulfilled", value: position };
    tx.append({ type: "report", data: { hub, number } });
    at.set(hub, number);
    moved.add(hub);
    return { status: "fulfilled", value: number };
  });
  const written = hubs.filter(({ hub }) => moved.has(hub));
  const rows = written.map(({ eco, hub }) => ({ eco, hub, key: keyOf(hub, at.get(hub) ?? 0) }));
  if (rows.length > 0) db.later(db.runOf(setPositions, rows));
  return results;
});
const ask = (db: KindSql, text: string) => db.query({ compile: () => sql.raw(text).compile(db.build) });

/** What a report may do; the second ends the connection under everybody's feet. */
const harms = () =>
  inject("postgres") === undefined
    ? ["select nothing from nowhere"]
    : ["select 1 / 0", "select pg_terminate_backend(pg_backend_pid())"];

/** Reports all, again from what was acknowledged whenever something was refused. */
async function reportAll(store: Store, random: Random, eco: string, hub: string): Promise<void> {
  let acknowledged = 0;
  while (acknowledged < REPORTS) {
    const count = Math.min(1 + Math.floor(random.fraction() * PIPELINED), REPORTS - acknowledged);
    const asked = Array.from({ length: count }, (_none, at) => {
      const isBad = random.fraction() < 0.05 && mostTogether > 1;
      const harm = isBad ? harms()[Math.floor(random.fraction() * harms().length)] : undefined;
      return store.writeReportOf(reports, eco, 1, { hub, number: acknowledged + at + 1, harm });
    });
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === "rejected") break;
      expect(result.value).toBeGreaterThan(acknowledged);
      acknowledged = result.value;
    }
  }
}

/** A caller's changes, each of which is made as often as its answer states. */
async function writeAll(store: Store, random: Random, eco: string): Promise<number> {
  let made = 0;
  while (mostTogether < 2) await new Promise((resolve) => setImmediate(resolve));
  for (let asked = 0; asked < 4; asked++) {
    while (random.fraction() < 0.5) await new Promise((resolve) => setImmediate(resolve));
    const put = store.write(eco, async (tx) => tx.append({ type: "put", data: {} }));
    made += await put.then(
      () => 1,
      () => 0,
    );
  }
  return made;
}

describe.each(Array.from({ length: rounds(4, 60) }, (_none, at) => at + 1))(
  "while the store fails at random (seed %i)",
  (seed) => {
    it("each report counts once, in the order of its hub", async () => {
      const random = seededRandom(seed);
      let isFailing = false;
      mostTogether = 0;
      const before = (what: "job" | "commit") => {
        if (isFailing && mostTogether > 1 && random.fraction() < (what === "job" ? 0.02 : 0.15))
          throw new Error(`no ${what}`);
      };
      await using fresh = await freshLocation();
      const ids = new IdMaker(systemClock, seededRandom(seed));
      await using store = await Store.open({ ...fresh.opening, clock: systemClock, ids, before });
      const ecosystems = Array.from({ length: ECOSYSTEMS }, (_none, at) => {
        const eco = `eco_${at}`;
        return { eco, hubs: Array.from({ length: HUBS }, (_hub, which) => `${eco}_${which}`) };
      });
      for (const { eco, hubs } of ecosystems) {
        await store.write(eco, async ({ build, change }) => {
          for (const id of hubs)
            await change(
              build.insertInto("users").values({ ecosystem_id: eco, id, key: keyOf(id, 0), account_id: null }),
            );
        });
      }
      isFailing = true;
      const written = await Promise.all(
        ecosystems.map(async ({ eco, hubs }) => {
          const [puts] = await Promise.all([
            writeAll(store, random, eco),
            ...hubs.map((hub) => reportAll(store, random, eco, hub)),
          ]);
          return puts;
        }),
      );
      isFailing = false;
      expect(mostTogether).toBeGreaterThan(1);
      for (const [which, { eco, hubs }] of ecosystems.entries()) {
        const rows = await store.service.query(
          store.of(eco).from("events").select(["sequence", "type", "data"]).orderBy("sequence"),
        );
        expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_row, at) => at + 1));
        expect(rows.filter(({ type }) => type === "put")).toHaveLength(written[which] ?? 0);
        for (const hub of hubs) {
          const logged = rows.filter(({ type }) => type === "report").map(({ data }) => JSON.parse(data));
          const numbers = logged.filter((report) => report.hub === hub).map(({ number }) => number);
          expect(numbers).toEqual(Array.from({ length: REPORTS }, (_none, at) => at + 1));
        }
      }
    });
  },
);
