/** The journal of commands: what makes "at most once" survive a crash. An entry is begun before hardware is touched. */
import type { Value } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";
import type { PropertyTarget } from "./property-target.ts";
import type { StoredResult } from "./records.ts";

/** A command as it came. */
export interface CommandRequest extends PropertyTarget {
  readonly id: string;
  readonly value: Value;
  /** For the log: the request that it is for. */
  readonly requestId?: string | undefined;
  /** Given at home: the cloud knows nothing of it. */
  readonly local?: boolean | undefined;
}

/** What the journal knows of a command id. */
export type JournalEntry =
  | { readonly kind: "begun"; readonly request: CommandRequest }
  | { readonly kind: "ended"; readonly result: StoredResult };

/** Ids are known for this long, ms (T5). */
const JOURNAL_KEPT_MS = 24 * 3_600_000;

interface Row {
  readonly command: string;
  readonly begun_ms: number;
  readonly target: string;
  readonly ended: string | null;
}

export class Journal {
  readonly #select: Statement<[string], Row>;
  readonly #insert: Statement<[string, number, string, number]>;
  readonly #end: Statement<[string, number, string]>;
  readonly #open: Statement<[], Row>;
  readonly #purge: Statement<[number]>;

  constructor(db: Db) {
    this.#select = db.prepare("SELECT command, begun_ms, target, ended FROM journal WHERE command = ?");
    this.#insert = db.prepare("INSERT INTO journal VALUES (?, ?, ?, NULL, ?)");
    this.#end = db.prepare("UPDATE journal SET ended = ?, crc = ? WHERE command = ?");
    this.#open = db.prepare(
      "SELECT command, begun_ms, target, ended FROM journal WHERE ended IS NULL ORDER BY begun_ms, command",
    );
    this.#purge = db.prepare("DELETE FROM journal WHERE begun_ms < ? AND ended IS NOT NULL");
  }

  entry(command: string): JournalEntry | undefined {
    const row = this.#select.get(command);
    if (!row) return undefined;
    // Written by `begin` and `end`, so they are a request and a result.
    if (row.ended === null) return { kind: "begun", request: JSON.parse(row.target) as CommandRequest };
    return { kind: "ended", result: JSON.parse(row.ended) as StoredResult };
  }

  /** @throws SqliteError when the id is known already */
  begin(request: CommandRequest, runningMs: number): void {
    const target = JSON.stringify(request);
    this.#insert.run(request.id, runningMs, target, seal([request.id, runningMs, target, null]));
  }

  end(result: StoredResult): void {
    const begun = this.#select.get(result.command);
    if (!begun) return;
    const ended = JSON.stringify(result);
    this.#end.run(ended, seal([begun.command, begun.begun_ms, begun.target, ended]), result.command);
  }

  /** Commands begun and not ended, in the order in which they were begun. */
  open(): CommandRequest[] {
    // Written by `begin`, so it is a request.
    return this.#open.all().map((row) => JSON.parse(row.target) as CommandRequest);
  }

  /** Forgets what was begun more than {@link JOURNAL_KEPT_MS} of running time ago. */
  purge(runningMs: number): void {
    this.#purge.run(runningMs - JOURNAL_KEPT_MS);
  }
}
