import { describe, expect, it } from "vitest";
import { type Bulk, bulk } from "./bulk.ts";
import { GatheredReads } from "./gathered-reads.ts";
import { statement } from "./statement.ts";

const NAMES: Bulk<{ id: string }, object> = bulk(
  statement<{ id: string }>("gathered_test")((db, p) => db.selectFrom("clients").select("id").where("id", "=", p.id)),
  { id: "text" },
);

/** A database that answers when the test lets it; a row says for whom it is. */
function database() {
  const asked: string[][] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const allOf = async (_bulk: unknown, rows: readonly object[]) => {
    const ids = rows.map((row) => ("id" in row ? String(row.id) : ""));
    asked.push(ids);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    await answer.promise;
    // biome-ignore lint/suspicious/noExplicitAny: rows of any statement
    return ids.map((id) => [{ id }]) as any;
  };
  const reads = new GatheredReads({ allOf }, NAMES);
  return { asked, answers, all: (id: string) => reads.all({ id }) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("reads of many at a time", () => {
  it("are asked at once as long as few are under way, and then together; each gets its own rows", async () => {
    const { asked, answers, all } = database();
    const found = Promise.all(["a", "b", "c", "d"].map(all));
    expect(asked).toEqual([["a"], ["b"]]);
    answers[1]?.resolve();
    await turn();
    expect(asked.slice(2)).toEqual([["c", "d"]]);
    for (const { resolve } of answers) resolve();
    expect(await found).toEqual([[{ id: "a" }], [{ id: "b" }], [{ id: "c" }], [{ id: "d" }]]);
  });

  it("fail together, and those behind them are asked", async () => {
    const { asked, answers, all } = database();
    const ends = Promise.allSettled(["a", "b", "c"].map(all));
    answers[0]?.reject(new Error("away"));
    await turn();
    expect(asked.slice(2)).toEqual([["c"]]);
    for (const { resolve } of answers) resolve();
    expect((await ends).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  });

  it("are in parts when they are very many", async () => {
    const { asked, answers, all } = database();
    const found = Promise.all(Array.from({ length: 302 }, (_, at) => all(String(at))));
    answers[0]?.resolve();
    await turn();
    answers[1]?.resolve();
    await turn();
    expect(asked.map(({ length }) => length)).toEqual([1, 1, 200, 100]);
    for (const { resolve } of answers) resolve();
    expect(await found).toHaveLength(302);
  });
});
