/** The devices that users have admitted one by one, in addition to those that the settings admit. */
import type { Statement } from "better-sqlite3";
import type { Db } from "../database.ts";
import { seal } from "../row-checksum.ts";

/** The maximum number of devices of a hub. */
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

  /** `full`: the maximum is reached. @param now wall-clock ms */
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

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#edgeIds.clear();
    for (const { edge_id } of this.#select.iterate()) this.#edgeIds.add(edge_id);
  }
}
