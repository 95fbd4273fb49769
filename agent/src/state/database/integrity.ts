/** Whether a database is as the agent left it: more than SQLite asks, because a hub that starts on damage would lie or stop for ever. */
import Database from "better-sqlite3";
import { seal } from "./row-checksum.ts";
import { MIGRATIONS, SEALED } from "./schema.ts";

/** What is wrong with an open database that has been brought up to date; undefined when nothing is. */
export function damageIn(db: Database.Database): string | undefined {
  const broken = brokenPages(db);
  if (broken !== undefined) return broken;
  if (schemaText(db) !== expectedSchema()) return "its tables are not those that the agent created";
  for (const [table, columns] of Object.entries(SEALED)) {
    const select = db.prepare<[], Record<string, string | number | null>>(
      `SELECT crc, ${columns.join(", ")} FROM ${table}`,
    );
    for (const row of select.iterate()) {
      if (row.crc !== seal(columns.map((column) => row[column] ?? null)))
        return `a row of ${table} is not as it was written`;
    }
  }
  return undefined;
}

/** What SQLite itself finds wrong with a database, of any version of the agent; undefined when it finds nothing. */
export function brokenPages(db: Database.Database): string | undefined {
  const found = String(db.pragma("integrity_check(1)", { simple: true }));
  return found === "ok" ? undefined : found;
}

/** Seals every row: those of an agent that did not seal yet. */
export function sealAll(db: Database.Database): void {
  for (const [table, columns] of Object.entries(SEALED)) {
    db.function("seal_row", { varargs: true }, (...fields) => seal(fields as (string | number | null)[]));
    db.exec(`UPDATE ${table} SET crc = seal_row(${columns.join(", ")})`);
  }
}

/** `user_version` is no word of the schema, and a flipped bit in it would look like another agent's work. */
function schemaText(db: Database.Database): string {
  const rows = db
    .prepare<[], { sql: string }>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    .all();
  return rows.map(({ sql }) => sql).join(";\n");
}

function expectedSchema(): string {
  const fresh = new Database(":memory:");
  try {
    for (const step of MIGRATIONS) fresh.exec(step);
    return schemaText(fresh);
  } finally {
    fresh.close();
  }
}
