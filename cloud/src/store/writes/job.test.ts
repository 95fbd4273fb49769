/** Jobs of one kind that come together in a transaction, on either database. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshStore, kindOf } from "../fresh-store.fixture.ts";
import type { Job, KindSql, Store } from "../index.ts";

let fresh: Awaited<ReturnType<typeof freshStore>>;
let store: Store;
beforeEach(async () => {
  fresh = await freshStore();
  store = fresh.store;
  // An ecosystem that has been written before.
  await store.write("eco_a", async () => undefined);
});
afterEach(() => fresh[Symbol.asyncDispose]());

const events = (eco: string) =>
  store.service.query(store.of(eco).from("events").select(["sequence", "type"]).orderBy("sequence"));
const types = async (eco: string) => (await events(eco)).map(({ type }) => type);
const addUser = (sql: KindSql, id: string) =>
  sql.change(sql.build.insertInto("users").values({ ecosystem_id: "eco_a", id, key: id, account_id: null }));
const users = async () => (await store.service.query(store.of("eco_a").from("users").select("id"))).map(({ id }) => id);

/** Appends an event for each; "no" is rejected. Records how many came at once. */
function appending(sizes: number[], before: (sql: KindSql, jobs: readonly Job<string>[]) => unknown = () => undefined) {
  return kindOf<string, string>(async (sql, jobs) => {
    sizes.push(jobs.length);
    await before(sql, jobs);
    return jobs.map(({ tx, input }) => {
      tx.append({ type: input, data: {} });
      tx.afterCommit(() => effects.push(input));
      if (input.startsWith("no")) return { status: "rejected", reason: new Error(input) };
      return { status: "fulfilled", value: `${input} done` };
    });
  });
}
let effects: string[] = [];
beforeEach(() => {
  effects = [];
});
const outcomes = async (asked: readonly Promise<string>[]) =>
  (await Promise.allSettled(asked)).map((result) =>
    result.status === "fulfilled" ? result.value : `${result.reason.message}`,
  );

describe("jobs of one kind", () => {
  it("are done together, and each has its own answer and its events in the order of the jobs", async () => {
    const sizes: number[] = [];
    const kind = appending(sizes);
    expect(await outcomes(["a", "b", "c"].map((name) => store.writeOf(kind, "eco_a", name)))).toEqual([
      "a done",
      "b done",
      "c done",
    ]);
    expect(sizes).toEqual([3]);
    expect(await events("eco_a")).toEqual(["a", "b", "c"].map((type, at) => ({ sequence: at + 1, type })));
    expect(effects).toEqual(["a", "b", "c"]);
  });

  it("are rejected alone, with no event, number or effect, and without another attempt", async () => {
    const sizes: number[] = [];
    const kind = appending(sizes);
    expect(await outcomes(["a", "no", "c"].map((name) => store.writeOf(kind, "eco_a", name)))).toEqual([
      "a done",
      "no",
      "c done",
    ]);
    expect(sizes).toEqual([3]);
    expect(await events("eco_a")).toEqual(["a", "c"].map((type, at) => ({ sequence: at + 1, type })));
    expect(effects).toEqual(["a", "c"]);
  });

  it("keep their place among other jobs", async () => {
    const sizes: number[] = [];
    const kind = appending(sizes);
    const other = (type: string) => store.write("eco_a", async (tx) => tx.append({ type, data: {} }));
    const kinds = (type: string) => store.writeOf(kind, "eco_a", type);
    await Promise.all([kinds("1"), kinds("2"), other("3"), kinds("4"), other("5")]);
    expect(await types("eco_a")).toEqual(["1", "2", "3", "4", "5"]);
    expect(sizes).toEqual([2, 1]);
  });

  it.each([
    ["in what is waited for", false],
    ["in what goes with the commit", true],
  ])("are tried one by one when one of them fails %s, and the others stand", async (_where, isLater) => {
    const sizes: number[] = [];
    const kind = appending(sizes, async (sql, jobs) => {
      for (const { input } of jobs) {
        const added = addUser(sql, input === "again" ? "a" : input);
        if (isLater) sql.later(added);
        else await added;
      }
    });
    const results = await outcomes(["a", "again", "c"].map((name) => store.writeOf(kind, "eco_a", name)));
    expect([results[0], results[2]]).toEqual(["a done", "c done"]);
    expect(results[1]).toMatch(/unique/i);
    expect(sizes.slice(-4)).toEqual([3, 1, 1, 1]);
    expect(await events("eco_a")).toEqual(["a", "c"].map((type, at) => ({ sequence: at + 1, type })));
    expect(await users()).toEqual(["a", "c"]);
    expect(effects).toEqual(["a", "c"]);
  });

  it("write nothing once the node's lease is gone, though they are begun before that is known", async () => {
    store.fenceBy({ nodeId: "node-1", lease: 7 });
    const kind = appending([], async (sql) => {
      await sql.query(sql.build.selectFrom("users").select("id"));
      await addUser(sql, "late");
    });
    await expect(store.writeOf(kind, "eco_a", "a")).rejects.toMatchObject({ name: "Service Unavailable" });
    store.fenceBy(undefined);
    expect({ users: await users(), events: await types("eco_a") }).toEqual({ users: [], events: [] });
  });
});
