/**
 * The durable state of the hub. Each write is a rule of `history.ts`, runs in a transaction shared with others, and resolves
 * after the commit; reads come from memory or from the table itself.
 */
import type { Clock } from "@porchlight/shared/kernel";
import type { HubJournal } from "@porchlight/shared/model";
import { damagedOf } from "./database.ts";
import type { Home } from "./home.ts";
import type { TimeKnown, TimeSource } from "./hub-clock.ts";
import type { Kept } from "./kept.ts";
import {
  type ArrivingDevice,
  inventoryDigest,
  type Learned,
  type Observed,
  type PropertyTarget,
  type StoredDevice,
} from "./rows/devices.ts";
import type { Cause, CommandEnd, CommandRequest, JournalEntry, StoredRecord, StoredResult } from "./rows/journal.ts";
import type { PendingTexts } from "./rows/outbox.ts";
import type { ReportName } from "./rows/seen-reports.ts";
import type { StoredValue } from "./rows/values.ts";
import type { SeriesReads } from "./series/series-source.ts";
import { Store } from "./store.ts";
import type { StateDeps, StateListener } from "./store-deps.ts";

/** An acknowledged record is deleted within this time, ms, to avoid a separate commit. */
const ACKNOWLEDGE_WITHIN_MS = 1000;

export class State implements AsyncDisposable {
  readonly #store: Store;
  readonly #groupMs: number;
  readonly #path: string;
  #acknowledging: { upTo: number; readonly done: Promise<void> } | undefined;
  #digest = { version: -1, text: "" };
  /** Properties whose last command was interrupted by the end of the agent's last life. */
  readonly unsettled: readonly PropertyTarget[];

  private constructor(store: Store, path: string, groupMs: number, unsettled: readonly PropertyTarget[]) {
    this.#store = store;
    this.#path = path;
    this.#groupMs = groupMs;
    this.unsettled = unsettled;
  }

  /**
   * Opens the hub's database, or creates it. Commands that were begun and not ended are ended as `unknown`.
   * @throws StateUnusable when another agent has it open, or a newer agent wrote it
   */
  static open(path: string, deps: StateDeps): State {
    let cutOff: readonly CommandRequest[] = [];
    const outboxBytes = deps.outboxBytes ?? 32 * 1024 * 1024;
    const { reserveBytes = 0, boot = { id: Buffer.from(deps.random.bytes(8)).toString("hex"), zero: 0 } } = deps;
    const store = Store.open(path, { ...deps, outboxBytes, reserveBytes, boot }, ({ tables, history }) => {
      cutOff = tables.journal.open();
      for (const request of cutOff) history.endUnknown(request);
    });
    const unsettled = cutOff.map(({ device, service, index, property }) => ({ device, service, index, property }));
    return new State(store, path, deps.groupMs ?? 50, unsettled);
  }

  get logId(): string {
    return this.#store.tables.hub.logId;
  }

  get lastNumber(): number {
    return this.#store.tables.hub.lastNumber;
  }

  get acknowledged(): number {
    return this.#store.tables.hub.acknowledged;
  }

  /** Number of records that wait to be sent. */
  get queued(): number {
    return this.#store.tables.outbox.records;
  }

  /** The hub's best estimate of the time; observations must be stamped with it. */
  get time(): Clock {
    return this.#store.time;
  }

  get timeKnown(): TimeKnown {
    const { source, isSetByCloud } = this.#store.time;
    return { source, isSetByCloud };
  }

  /** State for the API at home: names, scenes and tokens. */
  get home(): Home {
    return this.#store.home;
  }

  /** Entries stored by drivers, and devices that users have admitted. */
  get kept(): Kept {
    return this.#store.kept;
  }

  /** The recorded history of property values. */
  get series(): SeriesReads {
    return this.#store.series;
  }

  /** Takes the cloud's time: its clock was `wall` at that moment of the monotonic clock. */
  learnTime(wall: number, monotonic: number): void {
    this.#store.learnTime(wall, monotonic);
  }

  /** Calls `listener` after commits until the returned function is called. */
  listen(listener: StateListener): () => void {
    return this.#store.listen(listener);
  }

  /** Stores a report that a device sent unprompted; `busy` when there is no room for another event. */
  async report(observed: Observed, name: ReportName): Promise<"stored" | "repeated" | "busy"> {
    if (this.#store.isShort) {
      this.#store.warnings.heldBack();
      return "busy";
    }
    const outcome = await this.#store.run(this.#groupMs, () => this.#store.history.report(observed, name));
    if (outcome === "busy") this.#store.warnings.refused();
    return outcome;
  }

  /**
   * Accepts a repeated value without a transaction.
   * @returns false when it must be reported: it differs, or the last write of an equal value is a minute ago
   */
  repeat(observed: Observed): boolean {
    return !this.#store.isShort && this.#store.history.repeat(observed);
  }

  /** Stores a value that was read on request; returns its number, or that of the stored value when they are equal. */
  async learn(observed: Observed, cause: Cause): Promise<Learned> {
    try {
      return await this.#store.run(this.#groupMs, () => this.#store.history.learn(observed, cause));
    } catch (failure) {
      this.#store.warnings.gap();
      throw failure;
    }
  }

  /** Stores a retained value, whose time is unknown, when the property has no other value. */
  learnRetained(observed: Observed): Promise<void> {
    return this.#store.run(this.#groupMs, () => this.#store.history.learnRetained(observed));
  }

  /** Forgets the report numbers of a node that starts counting again. */
  forgetReports(node: string): Promise<void> {
    return this.#store.run(this.#groupMs, () => this.#store.tables.seen.forget(node));
  }

  /** Whether the hub accepts another device: it has at most 1,000. */
  hasRoomFor(edgeId: string): boolean {
    return this.#store.tables.devices.hasRoomFor(edgeId);
  }

  /** Stores a device as live on its link, with a larger arrival number when the history last recorded it as offline. */
  arrive(device: ArrivingDevice): Promise<void> {
    return this.#store.run(this.#groupMs, () => this.#store.history.arrive(device));
  }

  /** Reports a device to the cloud again, with a larger arrival number; false when the hub does not know it. */
  addDevice(edgeId: string): Promise<boolean> {
    return this.#store.run(0, () => this.#store.history.addDevice(edgeId));
  }

  leave(edgeId: string): Promise<void> {
    return this.#store.run(this.#groupMs, () => this.#store.history.leave(edgeId));
  }

  /** The journal's entry of a command. */
  entry(command: string): JournalEntry | undefined {
    return this.#store.tables.journal.entry(command);
  }

  /** The journal's entries of commands to a property, newest first. */
  journalOf(target: PropertyTarget): HubJournal {
    return this.#store.tables.journal.ofProperty(target, this.#store.runningMs);
  }

  /** Enters a command into the journal: await it before hardware is touched. `known`: the journal has it already. */
  begin(request: CommandRequest): Promise<"begun" | "known"> {
    return this.#store.run(0, () => this.#store.history.begin(request, this.#store.runningMs));
  }

  /**
   * Enters the refusal of a command into the journal: await it before the refusal is reported. Returns its record, or the
   * journal's earlier entry of the command.
   */
  refuse(request: CommandRequest, end: CommandEnd): Promise<JournalEntry> {
    return this.#store.run(0, () => this.#store.history.refuse(request, end, this.#store.runningMs));
  }

  /** Ends a command that was begun; returns its record. */
  end(end: CommandEnd): Promise<StoredResult> {
    return this.#store.run(0, () => this.#store.history.end(end));
  }

  /** Returns the records after that number, in order: at most `limit` records and about `bytes` bytes. */
  pending(after: number, limit: number, bytes: number): StoredRecord[] {
    return this.#store.tables.outbox.pending(after, limit, bytes);
  }

  /** The same records as the JSON to send. */
  pendingTexts(after: number, limit: number, bytes: number): PendingTexts {
    return this.#store.tables.outbox.pendingTexts(after, limit, bytes);
  }

  /** The cloud has stored everything up to that number. Acknowledgements that arrive close together share one write. */
  acknowledge(number: number): Promise<void> {
    if (this.#acknowledging) {
      this.#acknowledging.upTo = Math.max(this.#acknowledging.upTo, number);
      return this.#acknowledging.done;
    }
    const request = { upTo: number };
    const done = this.#store.run(ACKNOWLEDGE_WITHIN_MS, () => {
      this.#acknowledging = undefined;
      const { hub, outbox } = this.#store.tables;
      const upTo = Math.min(request.upTo, hub.lastNumber);
      hub.acknowledge(upTo);
      outbox.acknowledge(upTo);
    });
    this.#acknowledging = Object.assign(request, { done });
    return done;
  }

  /** Reports every current value again, under new numbers. */
  resync(): Promise<void> {
    return this.#store.run(0, () => this.#store.history.resync());
  }

  /** Begins a new history: for a hub whose database is older than what the cloud has received from it. */
  renewLog(): Promise<void> {
    return this.#store.run(0, () => {
      this.#store.renewLog();
      this.#store.history.resync();
    });
  }

  device(edgeId: string): StoredDevice | undefined {
    return this.#store.tables.devices.get(edgeId);
  }

  devices(): StoredDevice[] {
    return this.#store.tables.devices.all();
  }

  /** Digest over all devices; the cloud compares it with its own. */
  get inventoryDigest(): string {
    const { version } = this.#store.tables.devices;
    if (this.#digest.version !== version) this.#digest = { version, text: inventoryDigest(this.devices()) };
    return this.#digest.text;
  }

  value(target: PropertyTarget): StoredValue | undefined {
    return this.#store.tables.values.get(target);
  }

  status(): StateStatus {
    const { hub, outbox } = this.#store.tables;
    const { warnings, time, reserve, isShort } = this.#store;
    return {
      logId: hub.logId,
      lastNumber: hub.lastNumber,
      acknowledged: hub.acknowledged,
      queuedRecords: outbox.records,
      queuedBytes: outbox.bytes,
      droppedValues: outbox.dropped,
      refusedEvents: warnings.refusedEvents,
      refusedReports: warnings.refusedReports,
      gaps: warnings.gaps,
      notRecorded: this.#store.series.recorder.leftOut,
      full: outbox.isFull,
      disk: {
        ...reserve.space(),
        databaseBytes: this.#store.bytes,
        short: isShort,
        damaged: damagedOf(this.#path),
      },
      clock: { skewMs: time.skewMs, source: time.source },
    };
  }

  /** Writes a consistent copy of the database while it stays in use. @throws SqliteError */
  copyTo(path: string): Promise<void> {
    return this.#store.copyTo(path);
  }

  /** Commits the waiting jobs and closes the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#store.close();
  }

  /** Closes the database without further writes, as when the process is killed. */
  kill(): void {
    this.#store.kill();
  }
}

/** The status of the hub's store: its history, its outbox, and the disk under it. */
export interface StateStatus {
  readonly logId: string;
  readonly lastNumber: number;
  readonly acknowledged: number;
  readonly queuedRecords: number;
  readonly queuedBytes: number;
  /** Values dropped since the start; a newer value of the same property was kept each time. */
  readonly droppedValues: number;
  /** Events that devices were asked to hold back since the start, because the outbox was full. */
  readonly refusedEvents: number;
  readonly refusedReports: number;
  /** Values that were read and could not be stored. */
  readonly gaps: number;
  /** Changes and gaps that history could not record since the start. */
  readonly notRecorded: number;
  readonly full: boolean;
  readonly disk: {
    readonly freeBytes?: number | undefined;
    readonly totalBytes?: number | undefined;
    readonly databaseBytes: number;
    /** The disk is full; the remaining space is reserved for commands. */
    readonly short: boolean;
    /** Damaged databases that were set aside, newest first. */
    readonly damaged: string[];
  };
  readonly clock: { readonly skewMs?: number | undefined; readonly source: TimeSource };
}
