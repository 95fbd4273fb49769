import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUILDERS, statement } from "./statement.ts";

let db: Sqlite.Database;
beforeEach(() => {
  db = new Sqlite(":memory:");
  db.exec(`
    create table objects (ecosystem_id text, id text, kind text, alias text, created_at integer, gone_at integer, meta text);
    create unique index objects_alias on objects (ecosystem_id, alias) where kind <> 'it''s ?';
  `);
});
afterEach(() => {
  db.close();
});

const holder = statement<{ eco: string; alias: string }>("holder")((of, p) =>
  of
    .selectFrom("objects")
    .select(["id", "created_at"])
    .where("ecosystem_id", "=", p.eco)
    .where("alias", "=", p.alias)
    .where("kind", "!=", "it's ?")
    .where("gone_at", "is", null),
);
const add = statement<{ id: string; at: number; gone: number | null }>("add")((of, p) =>
  of.insertInto("objects").values({
    ecosystem_id: "eco",
    id: p.id,
    kind: "dev",
    alias: p.id,
    environment_id: null,
    version: 1,
    created_at: p.at,
    gone_at: p.gone,
    meta: "{}",
  }),
);

it("a statement is compiled once for each store, when that store first wants it", () => {
  const built: string[] = [];
  const lazy = statement<{ id: string }>("lazy")((of, p) => {
    built.push(of === BUILDERS.sqlite ? "SQLite" : "PostgreSQL");
    return of.selectFrom("objects").select("id").where("id", "=", p.id);
  });
  expect(built).toEqual([]);
  expect(lazy.postgres.sql).toBe('select "id" from "objects" where "id" = $1');
  expect(lazy.postgres).toBe(lazy.postgres);
  expect(built).toEqual(["PostgreSQL"]);
  expect(lazy.sqlite).toBe(lazy.sqlite);
  expect(built).toEqual(["PostgreSQL", "SQLite"]);
});

describe("a statement on SQLite", () => {
  it("binds what is named and writes out what is constant", () => {
    expect(holder.sqlite.sql).toContain(`"kind" != 'it''s ?'`);
    expect(holder.sqlite.bind({ alias: "lamp", eco: "eco" })).toEqual(["eco", "lamp"]);
  });

  it("finds rows by an index over a part of them", () => {
    const plan = db
      .prepare<unknown[], { detail: string }>(`explain query plan ${holder.sqlite.sql}`)
      .all("eco", "lamp");
    expect(plan.map(({ detail }) => detail)).toEqual([
      "SEARCH objects USING INDEX objects_alias (ecosystem_id=? AND alias=?)",
    ]);
  });

  it("keeps the type of what is bound", () => {
    db.exec("alter table objects add column environment_id text; alter table objects add column version integer");
    db.prepare(add.sqlite.sql).run(...add.sqlite.bind({ id: "0017", at: 9_007_199_254_740_991, gone: null }));
    const rows = db.prepare(
      "select id, typeof(id) as id_type, created_at, typeof(created_at) as at_type, gone_at from objects",
    );
    expect(rows.all()).toEqual([
      { id: "0017", id_type: "text", created_at: 9_007_199_254_740_991, at_type: "integer", gone_at: null },
    ]);
  });

  it("is planned once for all values", () => {
    // SQLite looks at no variable while it plans: each stands behind the plus that does nothing.
    for (const { sqlite } of [holder, add]) expect(sqlite.sql.replaceAll("+?", "")).not.toMatch(/(?<!s )\?/);
  });
});
