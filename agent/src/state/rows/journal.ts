/** The journal of commands: what makes "at most once" survive a crash. An entry is begun before hardware is touched. */
import { type HubHops, type HubJournal, MOST_JOURNAL_ENTRIES, type Value } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";
import { type PropertyTarget, targetKey } from "./property-target.ts";
import type { CommandScene, StoredResult } from "./records.ts";

/** A command as it came. */
export interface CommandRequest extends PropertyTarget {
  readonly id: string;
  readonly value: Value;
  /** For the log: the request that it is for. */
  readonly requestId?: string | undefined;
  /** Given at home: the cloud knows nothing of it. */
  readonly local?: boolean | undefined;
  /** What its owner calls the token with which it was given at home. */
  readonly by?: string | undefined;
  /** It is one of a scene's. */
  readonly scene?: CommandScene | undefined;
}

/** What the journal knows of a command id. */
export type JournalEntry =
  | { readonly kind: "begun"; readonly request: CommandRequest }
  | { readonly kind: "ended"; readonly result: StoredResult };

/** Ids are known for this long, ms (T5). */
const JOURNAL_KEPT_MS = 24 * 3_600_000;
/** Entries that one question looks through at the most, so that it holds up no command. */
const MOST_LOOKED_AT = 20_000;

/** What only {@link Journal.ofProperty} tells: times and where they went. */
interface KeptRequest extends CommandRequest {
  readonly begunAt?: number | undefined;
}
type KeptResult = StoredResult & { readonly hops?: HubHops | undefined };

interface Row {
  readonly command: string;
  readonly begun_ms: number;
  readonly target: string;
  readonly ended: string | null;
}

export class Journal {
  readonly #select: Statement<[string], Row>;
  readonly #insert: Statement<[string, number, string, number]>;
  readonly #ofProperty: Statement<[number, number, string, number], Row>;
  readonly #isLong: Statement<[number], { readonly command: string }>;
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
    this.#ofProperty = db.prepare(
      `SELECT command, begun_ms, target, ended FROM (SELECT * FROM journal ORDER BY command DESC LIMIT ?)
       WHERE begun_ms >= ? AND instr(target, ?) > 0 ORDER BY begun_ms DESC LIMIT ?`,
    );
    this.#isLong = db.prepare("SELECT command FROM journal ORDER BY command DESC LIMIT 1 OFFSET ?");
    this.#purge = db.prepare("DELETE FROM journal WHERE begun_ms < ? AND ended IS NOT NULL");
  }

  entry(command: string): JournalEntry | undefined {
    const row = this.#select.get(command);
    if (!row) return undefined;
    // Written by `begin` and `end`, so they are a request and a result.
    if (row.ended === null) return { kind: "begun", request: requestOf(row.target) };
    const { hops: _, ...result } = JSON.parse(row.ended) as KeptResult;
    return { kind: "ended", result };
  }

  /** @param at wall clock, ms @throws SqliteError when the id is known already */
  begin(request: CommandRequest, runningMs: number, at: number): void {
    const { device, service, index, property, ...rest } = request;
    // In the order in which `ofProperty` looks for them.
    const kept: KeptRequest = { device, service, index, property, ...rest, begunAt: at };
    const target = JSON.stringify(kept);
    this.#insert.run(request.id, runningMs, target, seal([request.id, runningMs, target, null]));
  }

  /** @param hops where its time went; undefined when that was not measured */
  end(result: StoredResult, hops?: HubHops): void {
    const begun = this.#select.get(result.command);
    if (!begun) return;
    const kept: KeptResult = hops ? { ...result, hops } : result;
    const ended = JSON.stringify(kept);
    this.#end.run(ended, seal([begun.command, begun.begun_ms, begun.target, ended]), result.command);
  }

  /** Commands begun and not ended, in the order in which they were begun. */
  open(): CommandRequest[] {
    // Written by `begin`, so it is a request.
    return this.#open.all().map((row) => requestOf(row.target));
  }

  /** The newest entries about a property within the last 24 h of running, the newest first. */
  ofProperty(target: PropertyTarget, runningMs: number): HubJournal {
    const { device, service, index, property } = target;
    // As `begin` writes it; a value may look the same.
    const text = JSON.stringify({ device, service, index, property }).slice(1, -1);
    const rows = this.#ofProperty.all(MOST_LOOKED_AT, runningMs - JOURNAL_KEPT_MS, text, MOST_JOURNAL_ENTRIES + 1);
    const isCut = rows.length > MOST_JOURNAL_ENTRIES || this.#isLong.get(MOST_LOOKED_AT) !== undefined;
    const own = rows.filter((row) => targetKey(requestOf(row.target)) === targetKey(target));
    return { isCut, items: own.slice(0, MOST_JOURNAL_ENTRIES).map(entryOf) };
  }

  /** Forgets what was begun more than {@link JOURNAL_KEPT_MS} of running time ago. */
  purge(runningMs: number): void {
    this.#purge.run(runningMs - JOURNAL_KEPT_MS);
  }
}

/** @param target written by `begin`, so it is a request */
function requestOf(target: string): CommandRequest {
  const { begunAt: _, ...request } = JSON.parse(target) as KeptRequest;
  return request;
}

function entryOf({ command, target, ended }: Row): HubJournal["items"][number] {
  // Written by `begin` and `end`.
  const { value: requested, local, by, begunAt } = JSON.parse(target) as KeptRequest;
  const result = ended === null ? undefined : (JSON.parse(ended) as KeptResult);
  const failure = result?.failure;
  return {
    command,
    requested,
    ...(local && { isLocal: true }),
    ...(by !== undefined && { by }),
    ...(begunAt !== undefined && { begunAt }),
    ...(result && { end: { outcome: result.outcome, at: result.observedAt, ...(failure && { failure }) } }),
    ...(result?.hops && { hops: result.hops }),
  };
}
