/** Reports of several ecosystems in one transaction, on two nodes: none waits for another's row, and each ecosystem keeps its order. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { kindOf } from "../fresh-store.fixture.ts";
import type { Store } from "../index.ts";
import { Holding, type TwoNodes, twoNodes } from "../two-nodes.fixture.ts";

let nodes: TwoNodes;
beforeEach(async () => {
  nodes = await twoNodes();
});
afterEach(() => nodes[Symbol.asyncDispose]());

const ECOS = Array.from({ length: 10 }, (_none, at) => `eco_${at}`);
let sizes: number[] = [];
const kind = kindOf<string, string>(async (_sql, jobs) => {
  sizes.push(jobs.length);
  return jobs.map(({ tx, input }) => {
    if (input === "no") return { status: "rejected", reason: new Error(input) };
    tx.append({ type: input, data: {} });
    return { status: "fulfilled", value: input };
  });
});
beforeEach(() => {
  sizes = [];
});
const report = (store: Store, eco: string, name: string) => store.writeReportOf(kind, eco, 1, name);
const types = async (eco: string) => {
  const { one } = nodes;
  const rows = await one.service.query(one.of(eco).from("events").select(["sequence", "type"]).orderBy("sequence"));
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_row, at) => at + 1));
  return rows.map(({ type }) => type);
};
const each = <T>(work: (eco: string) => Promise<T>) => Promise.all(ECOS.map(work));

it("what comes while others are written goes together, and is all there, in order", async () => {
  const { one } = nodes;
  await each((eco) => report(one, eco, "first"));
  const before = one.work.groups;
  sizes = [];
  const names = ["second", "third", "fourth"];
  await each((eco) => Promise.all(names.map((name) => report(one, eco, name))));
  for (const eco of ECOS) expect(await types(eco)).toEqual(["first", ...names]);
  expect(one.work.groups - before).toBeLessThan(ECOS.length);
  expect(Math.max(...sizes)).toBeGreaterThan(names.length);
});

it("a job that stores nothing ends too, regardless of the jobs behind it", async () => {
  const { one } = nodes;
  const empty = (eco: string, name: string) => one.writeReportOf(kind, eco, 0, name);
  await each(async (eco) => Promise.all(["first", "second", "third"].map((name) => empty(eco, name))));
  for (const eco of ECOS) expect(await types(eco)).toEqual(["first", "second", "third"]);
});

it("an ecosystem that another transaction holds is done alone, and no other waits for it", async () => {
  const { one, location } = nodes;
  await each((eco) => report(one, eco, "first"));
  await using held = await Holding.of(location, "select 1 from counters where ecosystem_id = 'eco_3' for update");
  const done: string[] = [];
  const all = each(async (eco) => {
    await report(one, eco, "second");
    done.push(eco);
  });
  await held.waited(1);
  // The others need nothing of it.
  await each((eco) => (eco === "eco_3" ? Promise.resolve("") : report(one, eco, "third")));
  expect(done).not.toContain("eco_3");
  await held.release();
  await all;
  await report(one, "eco_3", "third");
  for (const eco of ECOS) expect(await types(eco)).toEqual(["first", "second", "third"]);
});

it("a caller's job does not wait behind reports of other ecosystems", async () => {
  const { one, location } = nodes;
  await each((eco) => report(one, eco, "first"));
  await using held = await Holding.of(location, "lock table property_values in access exclusive mode");
  const reading = kindOf<string, string>(async (sql, jobs) => {
    await sql.query(sql.build.selectFrom("property_values").select("value"));
    return jobs.map(({ input }) => ({ status: "fulfilled", value: input }));
  });
  // One that is being written, and one that waits for it.
  const written = one.writeReportOf(reading, "eco_0", 1, "report");
  await held.waited(1);
  const waiting = report(one, "eco_2", "second");
  await new Promise((resolve) => setImmediate(resolve));
  await one.write("eco_2", async (tx) => tx.append({ type: "put", data: {} }));
  await waiting;
  await held.release();
  await written;
  expect(await types("eco_2")).toEqual(["first", "put", "second"]);
});

it("two nodes write reports of the same ecosystems, and nothing is lost or out of order", async () => {
  const { one, other } = nodes;
  const names = Array.from({ length: 20 }, (_none, at) => `${at}`);
  const all = (store: Store, from: string) =>
    each(async (eco) => {
      for (const name of names) await report(store, eco, `${from} ${name}`);
    });
  await Promise.all([all(one, "one"), all(other, "other")]);
  for (const eco of ECOS) {
    const published = await types(eco);
    for (const from of ["one", "other"])
      expect(published.filter((type) => type.startsWith(`${from} `))).toEqual(names.map((name) => `${from} ${name}`));
  }
});

it("one that is rejected does not touch the others, and one whose event is refused is alone in that", async () => {
  const { one } = nodes;
  await each((eco) => report(one, eco, "first"));
  // There is no event without a type.
  const nothing: string = JSON.parse("null");
  const results = await Promise.allSettled([
    ...ECOS.map((eco) => report(one, eco, eco === "eco_1" ? "no" : "second")),
    report(one, "eco_5", nothing),
    report(one, "eco_5", "third"),
  ]);
  const failed = results.flatMap(({ status }, at) => (status === "rejected" ? [at] : []));
  expect(failed).toEqual([1, 10]);
  expect(await types("eco_1")).toEqual(["first"]);
  expect(await types("eco_5")).toEqual(["first", "second", "third"]);
  expect(await types("eco_9")).toEqual(["first", "second"]);
});
