/** The reports of each node that were accepted, so that a repetition has no second effect (DP5). */
import { REMEMBERED_REPORTS } from "@porchlight/shared/wire";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";

/** Identifies a report permanently. */
export interface ReportName {
  /** edgeId of the node that sent it. */
  readonly node: string;
  readonly boot: number;
  readonly seq: number;
}

type Seen = readonly (readonly [boot: number, seq: number])[];

export class SeenReports {
  readonly #selectAll: Statement<[], { readonly node: string; readonly seen: string }>;
  readonly #upsert: Statement<[string, string, number]>;
  readonly #delete: Statement<[string]>;
  readonly #nodes = new Map<string, Seen>();
  /** Nodes with a report stored in the open transaction. */
  readonly #changed = new Set<string>();

  constructor(db: Db) {
    this.#selectAll = db.prepare("SELECT node, seen FROM seen_reports");
    this.#upsert = db.prepare(
      `INSERT INTO seen_reports VALUES (?, ?, ?)
       ON CONFLICT (node) DO UPDATE SET seen = excluded.seen, crc = excluded.crc`,
    );
    this.#delete = db.prepare("DELETE FROM seen_reports WHERE node = ?");
  }

  has({ node, boot, seq }: ReportName): boolean {
    return this.#nodes.get(node)?.some((seen) => seen[0] === boot && seen[1] === seq) ?? false;
  }

  /** Notes a report in memory only: for a report that changed nothing on disk. */
  note({ node, boot, seq }: ReportName): Seen {
    const seen: Seen = [...(this.#nodes.get(node) ?? []), [boot, seq] as const].slice(-REMEMBERED_REPORTS);
    this.#nodes.set(node, seen);
    return seen;
  }

  /** Notes a report, to be written with the transaction that stores it. */
  store(report: ReportName): void {
    this.note(report);
    this.#changed.add(report.node);
  }

  /** Writes the noted reports, once per node; part of every transaction. */
  save(): void {
    for (const node of this.#changed) {
      const seen = JSON.stringify(this.#nodes.get(node) ?? []);
      this.#upsert.run(node, seen, seal([node, seen]));
    }
    this.#changed.clear();
  }

  /** Forgets all reports of a node that has lost its boot count. */
  forget(node: string): void {
    this.#delete.run(node);
    this.#nodes.delete(node);
    this.#changed.delete(node);
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#nodes.clear();
    this.#changed.clear();
    // Only `save` writes this column, so the cast holds.
    for (const { node, seen } of this.#selectAll.iterate()) this.#nodes.set(node, JSON.parse(seen) as Seen);
  }
}
