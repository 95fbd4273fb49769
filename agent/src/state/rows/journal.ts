/** The journal of commands: what makes "at most once" survive a crash. An entry is begun before hardware is touched. */
import { type HubHops, type HubJournal, MOST_JOURNAL_ENTRIES, type Value } from "@porchlight/shared/model";
import type { ChangeCause } from "@porchlight/shared/rest";
import type { HubRecord, ResultRecord, SceneCaller, ValueRecord } from "@porchlight/shared/tunnel";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";
import { type PropertyTarget, targetKey } from "./devices.ts";

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
interface KeptRequest extends Omit<CommandRequest, "id"> {
  readonly begunAt?: number | undefined;
}
/** What a result says beyond its request: a shorter row splits fewer pages. Rows of older agents have all of it. */
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

/** Such an ID comes before or after any other in JavaScript as it does in the table. */
const ASCII = /^[\x20-\x7e]*$/;

export class Journal {
  /** Rows of commands that were begun in this life of the agent and have not ended. */
  readonly #begun = new Map<string, Begun>();
  /** No ID in the table comes after it: what comes after, as newer IDs do, is not there. */
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
    // Written by `end`, so it is one.
    const { hops: _, ...end } = JSON.parse(row.ended) as KeptEnd;
    return { kind: "ended", result: { kind: "result", command, device, service, index, property, requested, ...end } };
  }

  /** @param at wall clock, ms @throws SqliteError when the id is known already */
  begin(request: CommandRequest, runningMs: number, at: number): void {
    const { id, device, service, index, property, value, requestId, local, by, scene } = request;
    // The target in the order in which `ofProperty` looks for it.
    const kept: KeptRequest = { device, service, index, property, value, requestId, local, by, scene, begunAt: at };
    const target = JSON.stringify(kept);
    this.#insert.run(id, runningMs, target, seal([id, runningMs, target, null]));
    this.#begun.set(id, { begunMs: runningMs, target });
    if (id > this.#newest) this.#newest = id;
  }

  /** @param hops where its time went; undefined when that was not measured */
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

  /** The newest entries about a property within the last 24 h of running, the newest first. */
  ofProperty(target: PropertyTarget, runningMs: number): HubJournal {
    const { device, service, index, property } = target;
    // As `begin` writes it; a value may look the same.
    const text = JSON.stringify({ device, service, index, property }).slice(1, -1);
    const rows = this.#ofProperty.all(MOST_LOOKED_AT, runningMs - JOURNAL_KEPT_MS, text, MOST_JOURNAL_ENTRIES + 1);
    const isCut = rows.length > MOST_JOURNAL_ENTRIES || this.#isLong.get(MOST_LOOKED_AT) !== undefined;
    const own = rows.filter((row) => targetKey(requestOf(row)) === targetKey(target));
    return { isCut, items: own.slice(0, MOST_JOURNAL_ENTRIES).map(entryOf) };
  }

  /** Reads afresh what is known of it in memory: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#begun.clear();
    this.#newest = this.#selectNewest.get() ?? "";
  }

  /** Forgets what was begun more than {@link JOURNAL_KEPT_MS} of running time ago. */
  purge(runningMs: number): void {
    this.#purge.run(runningMs - JOURNAL_KEPT_MS);
  }

  #selectBegun(command: string): Begun | undefined {
    const row = this.#select.get(command);
    return row && { begunMs: row.begun_ms, target: row.target };
  }
}

function requestOf({ command, target }: Row): CommandRequest {
  // Written by `begin`, so it is a request.
  const { begunAt: _, ...request } = JSON.parse(target) as KeptRequest;
  return { id: command, ...request };
}

function entryOf({ command, target, ended }: Row): HubJournal["items"][number] {
  // Written by `begin` and `end`.
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

/** The records of the hub's history as the store holds them: those of the tunnel, with the model's read-only values. */
type WithValues<R> = R extends unknown
  ? { readonly [K in keyof R]: K extends "value" | "requested" ? Value : R[K] }
  : never;

export type StoredRecord = WithValues<HubRecord>;
/** The end of a command (`frames.ts`, resultRecord). */
export type StoredResult = WithValues<ResultRecord> & {
  /** Of one that was given at home and confirmed: when the value last changed, ms since 1970. */
  readonly modifiedAt?: number | undefined;
};
/** How a value was learned: `report`: the device told; `read`: it was asked; `local`: a write at home. */
export type Cause = ValueRecord["cause"];
/** The scene that a command belongs to. */
export interface CommandScene {
  /** `scn_…` */
  readonly id: string;
  /** Who called it at home; left out when the cloud did. */
  readonly by?: SceneCaller | undefined;
}
/** The end of a command before it has its number. */
export type CommandEnd = Omit<StoredResult, "kind" | "n" | "modifiedAt"> & {
  /** The command was given at home: the cloud knows nothing of it. */
  readonly local?: boolean | undefined;
  /** Where the hub's time went: for the journal, not for the history. */
  readonly hops?: HubHops | undefined;
  readonly scene?: CommandScene | undefined;
};

/** Why a value has changed: a command, or the scene that the hub called by itself. */
export function commandCause(commandId: string, scene: CommandScene | undefined): ChangeCause {
  return scene ? { ...sceneCause(scene), commandId } : { kind: "command", commandId };
}

/** The scene that has changed a value. */
export function sceneCause({ id, by }: CommandScene) {
  return { kind: "scene", sceneId: id, ...(by && { by }) } as const;
}
