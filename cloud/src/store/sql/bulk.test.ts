/** Statements for many rows, on either database. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshStore, kindOf } from "../fresh-store.fixture.ts";
import type { KindSql, Store } from "../index.ts";
import { bulk } from "./bulk.ts";
import { statement } from "./statement.ts";

let fresh: Awaited<ReturnType<typeof freshStore>>;
let store: Store;
beforeEach(async () => {
  fresh = await freshStore();
  store = fresh.store;
});
afterEach(() => fresh[Symbol.asyncDispose]());

/** In a transaction. */
function within<T>(work: (sql: KindSql) => Promise<T>): Promise<T> {
  const kind = kindOf<undefined, T>(async (sql) => [{ status: "fulfilled", value: await work(sql) }]);
  return store.writeOf(kind, "eco_a", undefined);
}

const insertUsers = bulk(
  statement<{ eco: string; id: string; key: string; account: string | null }>("insert_users_of_test")((db, p) =>
    db
      .insertInto("users")
      .values({ ecosystem_id: p.eco, id: p.id, key: p.key, account_id: p.account })
      .onConflict((conflict) =>
        conflict.columns(["ecosystem_id", "id"]).doUpdateSet((of) => ({ key: of.ref("excluded.key") })),
      ),
  ),
  { eco: "text", id: "text", key: "text", account: "text" },
);
const renameUsers = bulk(
  statement<{ eco: string; id: string; key: string }>("rename_users_of_test")((db, p) =>
    db
      .updateTable("users")
      .set({ key: p.key, account_id: "it's" })
      .where("ecosystem_id", "=", p.eco)
      .where("id", "=", p.id),
  ),
  { eco: "text", id: "text", key: "text" },
);
const usersAfter = bulk(
  statement<{ eco: string; after: string }>("users_after_of_test")((db, p) =>
    db
      .selectFrom("users")
      .select(["id", "key", "account_id"])
      .where("ecosystem_id", "=", p.eco)
      .where("id", ">", p.after)
      .where("id", "!=", "it's ?")
      .orderBy("id"),
  ),
  { eco: "text", after: "text" },
);
const user = (id: string, key: string, account: string | null = null) => ({ eco: "eco_a", id, key, account });
const after = (...ids: string[]) => ids.map((id) => ({ eco: "eco_a", after: id }));

describe("a statement for many rows", () => {
  it.each([1, 2, 200])("inserts, changes and finds %d of them", async (count) => {
    const rows = Array.from({ length: count }, (_, at) =>
      user(`usr_${at}`, `{"a":"b\\\\,${at}"}`, at % 2 ? null : "acc"),
    );
    const found = await within(async (sql) => {
      await sql.runOf(insertUsers, rows);
      const inserted = await sql.allOf(usersAfter, after(""));
      await sql.runOf(
        renameUsers,
        rows.map(({ eco, id }) => ({ eco, id, key: `new ${id}` })),
      );
      const changed = await sql.allOf(usersAfter, after(""));
      await sql.runOf(insertUsers, [user("usr_0", "again"), ...rows.slice(1)]);
      return { inserted, changed, again: await sql.allOf(usersAfter, after("")) };
    });
    const byId = [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(found.inserted[0]).toMatchObject(byId.map(({ id, key, account }) => ({ id, key, account_id: account })));
    expect(found.changed[0]).toMatchObject(byId.map(({ id }) => ({ id, key: `new ${id}`, account_id: "it's" })));
    expect(found.again[0]?.[0]).toMatchObject({ id: "usr_0", key: "again" });
  });

  it("finds for each row what belongs to it, in their order, and nothing for none", async () => {
    const found = await within(async (sql) => {
      await sql.runOf(insertUsers, [user("usr_1", "one"), user("usr_2", "two"), user("usr_3", "three")]);
      return { all: await sql.allOf(usersAfter, after("usr_2", "usr_9", "")), none: await sql.allOf(usersAfter, []) };
    });
    expect(found.all.map((rows) => rows.map(({ id }) => id))).toEqual([["usr_3"], [], ["usr_1", "usr_2", "usr_3"]]);
    expect(found.none).toEqual([]);
  });

  it("is refused for a kind of statement that it cannot be made of", () => {
    const remove = statement<{ id: string }>("remove_of_test")((db, p) =>
      db.deleteFrom("users").where("id", "=", p.id),
    );
    expect(() => bulk(remove, { id: "text" })).toThrow("no statement for many rows");
  });
});
