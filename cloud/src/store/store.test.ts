/** The doors of the store, on either database. */
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FreshLocation, freshLocation } from "./fresh-store.fixture.ts";
import { Store, type Transaction } from "./index.ts";

let fresh: FreshLocation;
let store: Store;

beforeEach(async () => {
  fresh = await freshLocation();
  store = await Store.open({
    ...fresh.opening,
    clock: systemClock,
    ids: new IdMaker(systemClock, seededRandom(1)),
  });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

const events = (eco: string) =>
  store.service.query(store.of(eco).from("events").select(["sequence", "type"]).orderBy("sequence"));

describe("the write coordinator", () => {
  it("numbers the events of an ecosystem without a gap, in the order of the jobs", async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => store.write("eco_a", async (tx) => tx.append({ type: `t${i}`, data: {} }))),
    );
    await store.write("eco_b", async (tx) => tx.append({ type: "other", data: {} }));
    const rows = await events("eco_a");
    expect(rows.map((row) => row.sequence)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(rows.map((row) => row.type)).toEqual(Array.from({ length: 100 }, (_, i) => `t${i}`));
    expect(await events("eco_b")).toEqual([{ sequence: 1, type: "other" }]);
  });

  it("rolls back a job that fails, with its events, and keeps its neighbours", async () => {
    const results = await Promise.allSettled([
      store.write("eco_a", async (tx) => tx.append({ type: "first", data: {} })),
      store.write("eco_a", async (tx) => {
        tx.append({ type: "lost", data: {} });
        throw new Error("no");
      }),
      store.write("eco_a", async (tx) => tx.append({ type: "third", data: {} })),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await events("eco_a")).toEqual([
      { sequence: 1, type: "first" },
      { sequence: 2, type: "third" },
    ]);
  });

  it("keeps no number and no effect of a job whose event the database refuses", async () => {
    const effects: string[] = [];
    const job = (type: string) =>
      store.write("eco_a", async (tx) => {
        tx.append({ type, data: {} });
        tx.afterCommit(() => effects.push(type));
      });
    // There is no event without a type.
    const nothing: string = JSON.parse("null");
    const results = await Promise.allSettled([job("first"), job(nothing), job("third")]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(effects).toEqual(["first", "third"]);
    expect(await events("eco_a")).toEqual([
      { sequence: 1, type: "first" },
      { sequence: 2, type: "third" },
    ]);
    await job("fourth");
    expect((await events("eco_a")).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  it("lets a job see the event of the one before it in the same transaction", async () => {
    const ended = store.write("eco_a", async (tx) => tx.append({ type: "first", data: {} }));
    const seen = store.write("eco_a", (tx) => tx.query(tx.build.selectFrom("events").select("type")));
    await ended;
    expect(await seen).toEqual([{ type: "first" }]);
  });

  it("lets a job see what the one before it in the same transaction wrote", async () => {
    const insert = store.write("eco_a", (tx) =>
      tx.change(
        tx.build.insertInto("users").values({ ecosystem_id: "eco_a", id: "usr_1", key: "k", account_id: null }),
      ),
    );
    const seen = store.write("eco_a", (tx) => tx.query(tx.build.selectFrom("users").select("key")));
    await insert;
    expect(await seen).toEqual([{ key: "k" }]);
  });

  it("writes nothing once the node's lease is gone", async () => {
    store.fenceBy({ nodeId: "node-1", lease: 7 });
    await expect(store.write("eco_a", async (tx) => tx.append({ type: "t", data: {} }))).rejects.toMatchObject({
      name: "Service Unavailable",
    });
    expect(await events("eco_a")).toEqual([]);
  });

  it("does not let a caller wait behind what hubs report, nor one ecosystem's reports behind another's", async () => {
    const order: string[] = [];
    const groups = store.work.groups;
    const ended = (name: string, done: Promise<unknown>) =>
      done.then(() => order.push(`${name}, ${store.work.groups - groups}`));
    const append = (name: string) => async (tx: Transaction) => tx.append({ type: name, data: {} });
    const report = (eco: string, name: string) => ended(name, store.writeReport(eco, 100, append(name)));
    await Promise.all([
      ...["report 1", "report 2", "report 3"].map((name) => report("eco_a", name)),
      ended("put", store.write("eco_a", append("put"))),
      ...(store.dialect === "sqlite" ? [report("eco_b", "other")] : []),
    ]);
    expect(order).toEqual(
      store.dialect === "sqlite"
        ? ["put, 1", "report 1, 2", "other, 2", "report 2, 3", "report 3, 3"]
        : ["put, 1", "report 1, 2", "report 2, 2", "report 3, 3"],
    );
    expect((await events("eco_a")).map(({ type }) => type)).toEqual(["put", "report 1", "report 2", "report 3"]);
  });

  it("answers callers only after the commit, and caches before callers", async () => {
    const order: string[] = [];
    store.onEvents(() => order.push("event readers"));
    await store.write("eco_a", async (tx) => {
      tx.append({ type: "t", data: {} });
      tx.afterCommit(() => order.push("cache"));
    });
    order.push("caller");
    expect(order).toEqual(["cache", "event readers", "caller"]);
  });
});
