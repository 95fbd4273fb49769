/** The devices that people have admitted one by one, beside those that the settings admit. */
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";

/** As many as a hub may have devices. */
const MOST = 1000;

export class AdmittedDevices {
  readonly #select: Statement<[], { readonly edge_id: string }>;
  readonly #insert: Statement<[string, number, number]>;
  readonly #delete: Statement<[string]>;
  readonly #edgeIds = new Set<string>();

  constructor(db: Db) {
    this.#select = db.prepare("SELECT edge_id FROM admitted_devices");
    this.#insert = db.prepare("INSERT INTO admitted_devices VALUES (?, ?, ?)");
    this.#delete = db.prepare("DELETE FROM admitted_devices WHERE edge_id = ?");
  }

  has(edgeId: string): boolean {
    return this.#edgeIds.has(edgeId);
  }

  /** `full`: there are as many as there may be. @param now wall-clock ms */
  add(edgeId: string, now: number): "added" | "known" | "full" {
    if (this.has(edgeId)) return "known";
    if (this.#edgeIds.size >= MOST) return "full";
    this.#insert.run(edgeId, now, seal([edgeId, now]));
    this.#edgeIds.add(edgeId);
    return "added";
  }

  remove(edgeId: string): "removed" | "known" {
    if (!this.#edgeIds.delete(edgeId)) return "known";
    this.#delete.run(edgeId);
    return "removed";
  }

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#edgeIds.clear();
    for (const { edge_id } of this.#select.iterate()) this.#edgeIds.add(edge_id);
  }
}
