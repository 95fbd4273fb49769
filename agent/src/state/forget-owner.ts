/** Deletes an owner's data from a hub's database: everything except the hub's own row and its devices. */
import Database from "better-sqlite3";
import { isDamage, seal } from "./database.ts";
import { SEALED } from "./schema.ts";

/** All other tables are emptied, so that a table added later is emptied without a change here. */
const KEPT: ReadonlySet<string> = new Set(["hub", "devices"]);

/** How long to wait for the lock, ms: another agent on the same folder does not release it. */
const LOCK_WAIT_MS = 500;

/**
 * Empties the database of a folder on which no agent runs, and removes the remains of rows that were deleted before.
 * @returns false when the database is damaged and nothing of it can be kept
 * @throws SqliteError when another agent has it open, or the disk is full
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

/**
 * Turns a restored copy of `agent.db` into the database of a hub that begins a new history. The outbox is emptied, because the
 * cloud has most likely received it since; values are read again; the journal stays, so that no command is executed twice.
 */
export function forgetSent(db: Database.Database): void {
  db.transaction(() => {
    db.exec("DELETE FROM outbox");
    db.exec("DELETE FROM property_values");
    beginAnew(db);
  })();
}

/** Clears the history's name, inside a transaction: a history without a name gets a new one at the next start. */
function beginAnew(db: Database.Database): void {
  const row = db.prepare<[], Record<string, string | number>>("SELECT * FROM hub").get();
  if (!row) return;
  const fresh: Record<string, string | number> = { ...row, log_id: "", acknowledged: 0 };
  const crc = seal(SEALED.hub.map((column) => fresh[column] ?? null));
  db.prepare("UPDATE hub SET log_id = '', acknowledged = 0, crc = ?").run(crc);
}
