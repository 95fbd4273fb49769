/**
 * The open database: its tables, the transactions that jobs share, and the listeners notified after a commit. Its own file so
 * that `state.ts` lists the operations, and this file keeps them consistent.
 *
 * Invariants: nothing is announced before it is committed; a transaction that is rolled back leaves no trace in memory either.
 */
import { dirname, join } from "node:path";
import { type Clock, every, IdMaker, type Timer } from "@porchlight/shared/kernel";
import type { Transaction } from "better-sqlite3";
import { type Db, isDamage, isDiskFull, openDatabase } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";
import { History, type Tables } from "./history.ts";
import { Home } from "./home.ts";
import { HomeEventWriter } from "./home-event-writer.ts";
import { HomeLog } from "./home-log.ts";
import { HubClock } from "./hub-clock.ts";
import { Kept } from "./kept.ts";
import { Reserve } from "./reserve.ts";
import { DeviceNames } from "./rows/device-names.ts";
import { Devices } from "./rows/devices.ts";
import { HubRow } from "./rows/hub-row.ts";
import { Journal } from "./rows/journal.ts";
import { Outbox } from "./rows/outbox.ts";
import { SeenReports } from "./rows/seen-reports.ts";
import { Values } from "./rows/values.ts";
import { PropertySeries } from "./series/series-source.ts";
import type { StateListener, StoreDeps } from "./store-deps.ts";
import { StoreWarnings } from "./store-warnings.ts";

const AGEING_MS = 3_600_000;
/** Longest that a slice of expired rows waits for a commit of others, ms. */
const SWEEP_MS = 1000;
/** Interval at which a full disk is checked again, ms. */
const ROOM_MS = 10_000;
/** Pages of the write-ahead log after which it is checkpointed: in normal state, and while the disk is full. */
const CHECKPOINT_PAGES = { well: 1000, short: 64 } as const;

export class Store {
  readonly tables: Tables;
  readonly history: History;
  readonly warnings: StoreWarnings;
  /** State for the API at home. */
  readonly home: Home;
  /** Entries stored by drivers, and devices that users have admitted. */
  readonly kept: Kept;
  /** The recorded history of property values. */
  readonly series: PropertySeries;
  readonly time: HubClock;
  readonly reserve: Reserve;
  readonly #deps: StoreDeps;
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #groups: GroupCommit;
  readonly #homeLog: HomeLog;
  readonly #homeEvents: HomeEventWriter | undefined;
  readonly #inTransaction: Transaction<(work: () => void) => void>;
  readonly #listeners = new Set<StateListener>();
  #ageing: Timer | undefined;
  /** Runs while the disk is full. */
  #room: Timer | undefined;
  #agedAt: number;
  #notified = { number: 0, devices: 0 };
  #isSweeping = false;
  #ended = false;

  private constructor(db: Db, reserve: Reserve, deps: StoreDeps) {
    const { clock, random, log } = deps;
    this.#deps = deps;
    this.#db = db;
    this.reserve = reserve;
    this.#clock = clock;
    this.#agedAt = clock.monotonic();
    this.warnings = new StoreWarnings(log, clock);
    const hub = new HubRow(db, random);
    hub.reload();
    this.time = new HubClock(clock, deps.boot, hub.knownAt);
    this.tables = {
      hub,
      devices: new Devices(db),
      values: new Values(db, this.time),
      outbox: new Outbox(db, deps.outboxBytes, this.time),
      journal: new Journal(db),
      seen: new SeenReports(db),
    };
    const names = new DeviceNames(db);
    const events = deps.homeEvents;
    const homeLog = new HomeLog(db, random, events?.bytes);
    const ids = new IdMaker(this.time, random);
    const about = { clock: this.time, ids, log: homeLog, names, ...this.tables };
    this.#homeLog = homeLog;
    this.#homeEvents = events && new HomeEventWriter({ ...about, edgeId: events.edgeId });
    const isWanted = () => events !== undefined && events.changes !== 0 && !this.isShort;
    this.series = new PropertySeries(db, {
      ...{ clock: this.time, ...this.tables, isWanted, most: events?.changes },
      leftOut: (failure) => this.warnings.notRecorded(failure),
    });
    this.history = new History(this.tables, this.time, { homeEvents: this.#homeEvents, series: this.series.recorder });
    const run = <T>(job: () => T) => this.run(0, job);
    this.home = new Home(db, { names, log: homeLog, events: this.#homeEvents, run });
    this.kept = new Kept(db, { clock: this.time, random, log, run });
    this.#inTransaction = db.transaction((work: () => void) => {
      work();
      this.series.recorder.end();
      for (const table of [this.tables.values, this.tables.seen, this.tables.hub]) table.save();
      deps.beforeCommit?.();
    });
    this.#groups = new GroupCommit((work) => this.#transact(work), clock);
  }

  /**
   * Opens the database, or creates it, and runs `first` in its first transaction.
   * @throws StateUnusable when another agent has it open, or a newer agent wrote it
   */
  static open(path: string, deps: StoreDeps, first: (store: Store) => void): Store {
    const reserve = new Reserve(join(dirname(path), "reserve"), deps.reserveBytes);
    const store = new Store(openWithRoom(path, reserve, deps), reserve, deps);
    store.#reload();
    if (!reserve.make()) store.#short();
    store.#transact(() => {
      if (store.tables.hub.logId === "") store.tables.hub.renewLog();
      if (store.#homeEvents) store.#homeEvents.goOn();
      else store.#homeLog.end();
      store.tables.journal.purge(store.tables.hub.runningMs);
      first(store);
    });
    store.#ageing = every(deps.clock, "journal age", AGEING_MS, () => {
      store
        .run(AGEING_MS / 2, () => store.#age())
        .catch((failure: unknown) => store.warnings.failed("ageing", failure));
      void store.#sweep();
    });
    return store;
  }

  /** Whether the disk is full, and the remaining space is reserved for commands. */
  get isShort(): boolean {
    return this.#room !== undefined;
  }

  /** How long this database has been in use, ms; unaffected by jumps of the wall clock. */
  get runningMs(): number {
    return this.tables.hub.runningMs + this.#clock.monotonic() - this.#agedAt;
  }

  /** Size of the database file. */
  get bytes(): number {
    return (
      Number(this.#db.pragma("page_count", { simple: true })) * Number(this.#db.pragma("page_size", { simple: true }))
    );
  }

  /** Takes the cloud's time. The first time in this life is also stored, for a later start without a clock. */
  learnTime(wall: number, monotonic: number): void {
    const first = !this.time.isSetByCloud;
    this.time.learn(wall, monotonic);
    if (!first) return;
    this.run(AGEING_MS / 60, () => this.tables.hub.know(this.time.now())).catch((failure: unknown) =>
      this.warnings.failed("time", failure),
    );
  }

  /** See `State.copyTo`. */
  async copyTo(path: string): Promise<void> {
    this.#groups.flush();
    await this.#db.backup(path);
  }

  /** Runs a job in a transaction shared with others, and resolves after its commit (see {@link GroupCommit.run}). */
  run<T>(withinMs: number, job: () => T): Promise<T> {
    return this.#groups.run(withinMs, job);
  }

  /** Begins a new history, inside a transaction. */
  renewLog(): void {
    this.tables.hub.renewLog();
    this.#homeEvents?.beginAnew();
  }

  /** Calls `listener` after commits until the returned function is called. */
  listen(listener: StateListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Commits the waiting jobs and closes the database. Safe to repeat. */
  close(): void {
    this.#end(() => {
      this.#groups.run(0, () => this.#age()).catch((failure: unknown) => this.warnings.failed("ageing", failure));
      this.#groups.close();
    });
  }

  /** Closes the database without further writes, as when the process is killed. */
  kill(): void {
    this.#end(() => this.#groups.abandon());
  }

  #end(how: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#ageing?.cancel();
    this.#room?.cancel();
    this.#listeners.clear();
    how();
    this.#db.close();
  }

  #transact(work: () => void): void {
    try {
      this.#inTransaction.immediate(work);
    } catch (failure) {
      this.warnings.failed("commit", failure);
      if (isDamage(failure)) this.#deps.damaged?.(failure.message);
      else this.#reload();
      // The job is retried once, alone, and then the reserve is free.
      if (isDiskFull(failure)) this.#short();
      throw failure;
    }
    for (const each of [this.tables.outbox, this.#homeLog, this.series.recorder]) each.committed();
    this.warnings.dropped(this.tables.outbox.dropped);
    if (this.series.retention.isTooMuch) void this.#sweep();
    const { number, devices } = this.#notified;
    this.#notified = { number: this.tables.hub.lastNumber, devices: this.tables.devices.version };
    if (this.#notified.devices !== devices) this.#tell((listener) => listener.devices());
    if (this.#notified.number !== number) this.#tell((listener) => listener.records());
  }

  /** Notifies in a microtask: an action or an error of a listener is not part of the transaction. */
  #tell(what: (listener: StateListener) => void): void {
    for (const listener of this.#listeners) queueMicrotask(() => what(listener));
  }

  #reload(): void {
    const { hub, devices, values, outbox, journal, seen } = this.tables;
    for (const table of [hub, devices, values, outbox, journal, seen, this.home, this.kept, this.series])
      table.reload();
  }

  #short(): void {
    this.reserve.spend();
    if (this.isShort || this.#ended) return;
    this.warnings.short();
    this.#checkpoint("short");
    this.#room = every(this.#clock, "room on the disk", ROOM_MS, () => {
      if (!this.reserve.make()) return;
      this.#room?.cancel();
      this.#room = undefined;
      this.#checkpoint("well");
      this.warnings.roomAgain();
    });
  }

  /** Truncates the write-ahead log, which would otherwise grow into the space reserved for commands. */
  #checkpoint(state: keyof typeof CHECKPOINT_PAGES): void {
    this.#db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES[state]}`);
    try {
      this.#db.pragma("wal_checkpoint(TRUNCATE)");
    } catch (failure) {
      this.warnings.failed("checkpoint", failure);
    }
  }

  /** Deletes expired rows of the property history, one slice with each of the next commits. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      while (!this.#ended && (await this.run(SWEEP_MS, () => this.series.retention.slice())));
    } catch (failure) {
      if (!this.#ended) this.warnings.failed("history", failure);
    } finally {
      this.#isSweeping = false;
    }
  }

  #age(): void {
    const now = this.#clock.monotonic();
    if (this.time.isSetByCloud) this.tables.hub.know(this.time.now());
    this.tables.hub.addRunning(now - this.#agedAt);
    this.#agedAt = now;
    this.tables.journal.purge(this.tables.hub.runningMs);
  }
}

/** Opens the database; on a full disk it releases the reserve and tries again. */
function openWithRoom(path: string, reserve: Reserve, { clock, log }: StoreDeps): Db {
  try {
    return openDatabase(path, clock, log);
  } catch (failure) {
    if (!isDiskFull(failure)) throw failure;
    reserve.spend();
    return openDatabase(path, clock, log);
  }
}
