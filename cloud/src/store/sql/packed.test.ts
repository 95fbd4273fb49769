/** Many rows as one, on either database: no number and no text is another than it was. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { freshStore } from "../fresh-store.fixture.ts";
import type { Store } from "../store.ts";
import { allPacked, packedRows } from "./packed.ts";
import { statement } from "./statement.ts";

let fresh: Awaited<ReturnType<typeof freshStore>>;
let store: Store;
beforeEach(async () => {
  fresh = await freshStore();
  store = fresh.store;
});
afterEach(() => fresh[Symbol.asyncDispose]());

const steps = packedRows(
  statement<{ series: number }>("steps_of_test")((db, p) =>
    db
      .selectFrom("history_hours")
      .select(["start", "min", "area", "last", "states"])
      .where("series", "=", p.series)
      .orderBy("start"),
  ),
  { numbers: ["start", "min", "area"], texts: ["last", "states"], nullable: ["min", "states"] },
  (numbers, from, [last, states], at) => ({
    start: numbers[from] ?? 0,
    min: numbers[from + 1] ?? null,
    area: numbers[from + 2] ?? 0,
    last: last?.[at] ?? "missing",
    states: states?.[at] ?? null,
  }),
);
const row = { series: 1, count: 1, known_ms: 1, max: null, growth: 0, resets: 0 };
const rowsOfValues = [
  { start: 1_767_225_600_000, min: null, area: 0.1 + 0.2, last: '"a,b"', states: null },
  { start: 1_767_225_600_001, min: -1.5e-300, area: Number.POSITIVE_INFINITY, last: "null", states: '{"\\u001e":1}' },
  { start: 1_767_225_600_002, min: 2 ** 53, area: 1e308, last: "", states: "" },
];

it("rows that are read as one are as they were stored, in their order", async () => {
  await store.writeService(async (tx) => {
    if (store.dialect === "postgres")
      await tx.query({
        compile: () => ({
          ...tx.build.selectFrom("nodes").compile(),
          sql: "create table history_hours_of_test partition of history_hours default",
        }),
      });
    await tx.change(tx.build.insertInto("history_hours").values(rowsOfValues.map((each) => ({ ...row, ...each }))));
  });
  expect(await allPacked(store.service, steps, { series: 1 })).toEqual(rowsOfValues);
  expect(await allPacked(store.service, steps, { series: 2 })).toEqual([]);
});
