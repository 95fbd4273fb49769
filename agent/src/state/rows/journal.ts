/** The journal of commands: it keeps "at most once" true over a crash. An entry is begun before hardware is touched. */
import { type HubHops, type HubJournal, MOST_JOURNAL_ENTRIES, type Value } from "@porchlight/shared/model";
import type { ChangeCause } from "@porchlight/shared/rest";
import type { HubRecord, ResultRecord, SceneCaller, ValueRecord } from "@porchlight/shared/tunnel";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";
import { type PropertyTarget, targetKey } from "./devices.ts";

/** A command as the hub received it. */
export interface CommandRequest extends PropertyTarget {
  readonly id: string;
  readonly value: Value;
  /** The API request that caused it, for the log. */
  readonly requestId?: string | undefined;
  /** Issued at home: the cloud does not know it. */
  readonly local?: boolean | undefined;
  /** The label of the token that issued it at home. */
  readonly by?: string | undefined;
  /** The scene that the command belongs to. */
  readonly scene?: CommandScene | undefined;
}

/** The journal's entry of a command id. */
export type JournalEntry =
  | { readonly kind: "begun"; readonly request: CommandRequest }
  | { readonly kind: "ended"; readonly result: StoredResult };

/** How long the journal keeps ids, ms (T5). */
const JOURNAL_KEPT_MS = 24 * 3_600_000;
/** Maximum entries that one query examines, so that it delays no command. */
const MOST_LOOKED_AT = 20_000;

/** The stored form of a request: the target, and the time that only {@link Journal.ofProperty} returns. */
interface KeptRequest extends Omit<CommandRequest, "id"> {
  readonly begunAt?: number | undefined;
}
/** The fields of a result beyond its request: a shorter row splits fewer pages. Rows of older agents contain all fields. */
type KeptEnd = Pick<StoredResult, "n" | "outcome" | "value" | "observedAt" | "modifiedAt" | "failure"> & {
  readonly hops?: HubHops | undefined;
};

interface Begun {
  readonly begunMs: number;
  readonly target: string;
}

interface Row {
  readonly command: string;
  readonly begun_ms: number;
  readonly target: string;
  readonly ended: string | null;
}

/** Strings of these characters sort in JavaScript as they do in the table. */
const ASCII = /^[\x20-\x7e]*$/;

export class Journal {
  /** Rows of commands that were begun in this life of the agent and have not ended. */
  readonly #begun = new Map<string, Begun>();
  /** The greatest ID in the table: a greater one, as newer IDs are, is not stored. */
  #newest = "";
  readonly #selectNewest: Statement<[], string | null>;
  readonly #select: Statement<[string], Row>;
  readonly #insert: Statement<[string, number, string, number]>;
  readonly #ofProperty: Statement<[number, number, string, number], Row>;
  readonly #isLong: Statement<[number], { readonly command: string }>;
  readonly #end: Statement<[string, number, string]>;
  readonly #open: Statement<[], Row>;
  readonly #purge: Statement<[number]>;

  constructor(db: Db) {
    this.#select = db.prepare("SELECT command, begun_ms, target, ended FROM journal WHERE command = +?");
    this.#selectNewest = db.prepare<[], string | null>("SELECT max(command) FROM journal").pluck();
    this.#insert = db.prepare("INSERT INTO journal VALUES (?, ?, ?, NULL, ?)");
    this.#end = db.prepare("UPDATE journal SET ended = ?, crc = ? WHERE command = +?");
    this.#open = db.prepare(
      "SELECT command, begun_ms, target, ended FROM journal WHERE ended IS NULL ORDER BY begun_ms, command",
    );
    this.#ofProperty = db.prepare(
      `SELECT command, begun_ms, target, ended FROM (SELECT * FROM journal ORDER BY command DESC LIMIT +?)
       WHERE begun_ms >= +? AND instr(target, +?) > 0 ORDER BY begun_ms DESC LIMIT +?`,
    );
    this.#isLong = db.prepare("SELECT command FROM journal ORDER BY command DESC LIMIT 1 OFFSET +?");
    this.#purge = db.prepare("DELETE FROM journal WHERE begun_ms < +? AND ended IS NOT NULL");
  }

  entry(command: string): JournalEntry | undefined {
    if (command > this.#newest && ASCII.test(command)) return undefined;
    const row = this.#select.get(command);
    if (!row) return undefined;
    const request = requestOf(row);
    if (row.ended === null) return { kind: "begun", request };
    const { device, service, index, property, value: requested } = request;
    // Only `end` writes this column, so the cast holds.
    const { hops: _, ...end } = JSON.parse(row.ended) as KeptEnd;
    return { kind: "ended", result: { kind: "result", command, device, service, index, property, requested, ...end } };
  }

  /** @param at wall clock, ms @throws SqliteError when the id is known already */
  begin(request: CommandRequest, runningMs: number, at: number): void {
    const { id, device, service, index, property, value, requestId, local, by, scene } = request;
    // The target's fields in the order that `ofProperty` searches for.
    const kept: KeptRequest = { device, service, index, property, value, requestId, local, by, scene, begunAt: at };
    const target = JSON.stringify(kept);
    this.#insert.run(id, runningMs, target, seal([id, runningMs, target, null]));
    this.#begun.set(id, { begunMs: runningMs, target });
    if (id > this.#newest) this.#newest = id;
  }

  /** @param hops durations of the hub's steps; undefined when they were not measured */
  end({ command, n, outcome, value, observedAt, modifiedAt, failure }: StoredResult, hops?: HubHops): void {
    const begun = this.#begun.get(command) ?? this.#selectBegun(command);
    if (!begun) return;
    const ended = JSON.stringify({ n, outcome, value, observedAt, modifiedAt, failure, hops });
    this.#end.run(ended, seal([command, begun.begunMs, begun.target, ended]), command);
    this.#begun.delete(command);
  }

  /** Commands begun and not ended, in the order in which they were begun. */
  open(): CommandRequest[] {
    return this.#open.all().map(requestOf);
  }

  /** The newest entries of a property within the last 24 h of running time, newest first. */
  ofProperty(target: PropertyTarget, runningMs: number): HubJournal {
    const { device, service, index, property } = target;
    // The text that `begin` writes; a value can contain the same text.
    const text = JSON.stringify({ device, service, index, property }).slice(1, -1);
    const rows = this.#ofProperty.all(MOST_LOOKED_AT, runningMs - JOURNAL_KEPT_MS, text, MOST_JOURNAL_ENTRIES + 1);
    const isCut = rows.length > MOST_JOURNAL_ENTRIES || this.#isLong.get(MOST_LOOKED_AT) !== undefined;
    const own = rows.filter((row) => targetKey(requestOf(row)) === targetKey(target));
    return { isCut, items: own.slice(0, MOST_JOURNAL_ENTRIES).map(entryOf) };
  }

  /** Reads the copy in memory again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#begun.clear();
    this.#newest = this.#selectNewest.get() ?? "";
  }

  /** Deletes entries begun more than {@link JOURNAL_KEPT_MS} of running time ago. */
  purge(runningMs: number): void {
    this.#purge.run(runningMs - JOURNAL_KEPT_MS);
  }

  #selectBegun(command: string): Begun | undefined {
    const row = this.#select.get(command);
    return row && { begunMs: row.begun_ms, target: row.target };
  }
}

function requestOf({ command, target }: Row): CommandRequest {
  // Only `begin` writes this column, so the cast holds.
  const { begunAt: _, ...request } = JSON.parse(target) as KeptRequest;
  return { id: command, ...request };
}

function entryOf({ command, target, ended }: Row): HubJournal["items"][number] {
  // Only `begin` and `end` write these columns, so the casts hold.
  const { value: requested, local, by, begunAt } = JSON.parse(target) as KeptRequest;
  const result = ended === null ? undefined : (JSON.parse(ended) as KeptEnd);
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

/** The records of the hub's history as stored: those of the tunnel, with the model's read-only values. */
type WithValues<R> = R extends unknown
  ? { readonly [K in keyof R]: K extends "value" | "requested" ? Value : R[K] }
  : never;

export type StoredRecord = WithValues<HubRecord>;
/** The end of a command (`frames.ts`, resultRecord). */
export type StoredResult = WithValues<ResultRecord> & {
  /** When the value last changed, ms since 1970; only of a confirmed command at home. */
  readonly modifiedAt?: number | undefined;
};
/** How a value was learned: `report`: the device reported it; `read`: the hub read it; `local`: a write at home. */
export type Cause = ValueRecord["cause"];
/** The scene that a command belongs to. */
export interface CommandScene {
  /** `scn_…` */
  readonly id: string;
  /** The caller at home; left out when the cloud called the scene. */
  readonly by?: SceneCaller | undefined;
}
/** The end of a command before its number is assigned. */
export type CommandEnd = Omit<StoredResult, "kind" | "n" | "modifiedAt"> & {
  /** The command was issued at home: the cloud does not know it. */
  readonly local?: boolean | undefined;
  /** Durations of the hub's steps: for the journal, not for the history. */
  readonly hops?: HubHops | undefined;
  readonly scene?: CommandScene | undefined;
};

/** The cause of a changed value: a command, or a command of a scene that the hub called by itself. */
export function commandCause(commandId: string, scene: CommandScene | undefined): ChangeCause {
  return scene ? { ...sceneCause(scene), commandId } : { kind: "command", commandId };
}

/** The scene that has changed a value. */
export function sceneCause({ id, by }: CommandScene) {
  return { kind: "scene", sceneId: id, ...(by && { by }) } as const;
}
