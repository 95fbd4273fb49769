/** What is taken from a hub's database when the hub leaves its owner: everything but what the hub itself is, and which devices it has. */
import Database from "better-sqlite3";
import { isDamage } from "./database/database.ts";
import { seal } from "./database/row-checksum.ts";
import { SEALED } from "./database/schema.ts";

/** A table that is not among them is emptied, so that one that is added later is not forgotten here. */
const KEPT: ReadonlySet<string> = new Set(["hub", "devices"]);

/** Another agent on the same folder does not go away by waiting, ms. */
const LOCK_WAIT_MS = 500;

/**
 * Empties the database of a folder on which no agent runs, also of what was deleted from it before.
 * @returns false when it is damaged: nothing of it can be kept
 * @throws SqliteError when another agent has it, or the disk is full
 */
export function forgetOwner(path: string): boolean {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { fileMustExist: true, timeout: LOCK_WAIT_MS });
    forget(db);
    db.exec("VACUUM");
    db.pragma("wal_checkpoint(TRUNCATE)");
    return true;
  } catch (failure) {
    if (isDamage(failure)) return false;
    throw failure;
  } finally {
    db?.close();
  }
}

function forget(db: Database.Database): void {
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .pluck()
    .all();
  db.transaction(() => {
    for (const table of tables) if (!KEPT.has(table)) db.exec(`DELETE FROM "${table}"`);
    beginAnew(db);
  })();
}

// What is taken from a restored database: what it may have told before, and what its devices may have changed since.

/**
 * Makes a copy of `agent.db` that of a hub that begins a new history. What waited for the cloud has most likely been told
 * since; values are read afresh; the journal stays, so that no command is carried out twice.
 */
export function forgetTold(db: Database.Database): void {
  db.transaction(() => {
    db.exec("DELETE FROM outbox");
    db.exec("DELETE FROM property_values");
    beginAnew(db);
  })();
}

/** Takes the history's name, inside a transaction: a history without a name gets a new one at the next start. */
function beginAnew(db: Database.Database): void {
  const row = db.prepare<[], Record<string, string | number>>("SELECT * FROM hub").get();
  if (!row) return;
  const fresh: Record<string, string | number> = { ...row, log_id: "", acknowledged: 0 };
  const crc = seal(SEALED.hub.map((column) => fresh[column] ?? null));
  db.prepare("UPDATE hub SET log_id = '', acknowledged = 0, crc = ?").run(crc);
}
