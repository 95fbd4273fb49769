/** What is taken from a restored database: what it may have told before, and what its devices may have changed since. */
import type Database from "better-sqlite3";
import { seal } from "./database/row-checksum.ts";
import { SEALED } from "./database/schema.ts";

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
export function beginAnew(db: Database.Database): void {
  const row = db.prepare<[], Record<string, string | number>>("SELECT * FROM hub").get();
  if (!row) return;
  const fresh: Record<string, string | number> = { ...row, log_id: "", acknowledged: 0 };
  const crc = seal(SEALED.hub.map((column) => fresh[column] ?? null));
  db.prepare("UPDATE hub SET log_id = '', acknowledged = 0, crc = ?").run(crc);
}
