/**
 * Records the event logs of all ecosystems into history: on one node at a time, asynchronously to hubs and users.
 *
 * Invariants: a slice and the position after it commit in one transaction, so that no event is lost or counted twice when a process
 * crashes; events deleted before they were recorded become a gap, and so does a change that cannot be recorded, without stopping others.
 */
import { type Clock, every, isNamed, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { LoggedEvent, LogReader } from "../events/index.ts";
import { GiveWay, type GiveWayDeps, type Store } from "../store/index.ts";
import { type Fact, factOf } from "./facts.ts";
import { openGap, writeGap } from "./gaps.ts";
import { goOn, type RecordDeps, recordFacts, recordStanding, writePause } from "./recording-pause.ts";
import { type HistoryChoice, movePosition, type Position, positionOf } from "./recording-rows.ts";
import { seriesKey } from "./series-rows.ts";
import { ecosystemsBehind, type Partitions } from "./service-queries.ts";

export interface HistoryRecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly reader: LogReader;
  /** Undefined on SQLite. */
  readonly partitions: Partitions | undefined;
  /** Whether this node's lease is valid, and it is the node that records for all. */
  readonly isChosen: () => boolean;
  readonly choiceOf: (eco: string) => Promise<HistoryChoice>;
  readonly processorTime?: GiveWayDeps["processorTime"];
}

const DAY = 86_400_000;
/** Interval of checks of the logs that this process has appended to, ms, and of all logs. */
const EVERY = 1_000;
const ALL_EVERY = 10_000;
/** Events in one transaction. */
const SLICE = 500;
/** Slices of one ecosystem before another has its turn. */
const SLICES = 20;
/** Recording is late when the events that it records are so old, ms. */
const LATE = 600_000;
/** Ecosystems in one query. */
const AT_ONCE = 200;

export class HistoryRecorder implements AsyncDisposable {
  readonly #deps: HistoryRecorderDeps;
  readonly #timer: Timer;
  readonly #stopListening: () => void;
  readonly #rounds = new Rounds(() => this.#round());
  readonly #end = new AbortController();
  readonly #pace: GiveWay;
  /** Ecosystems whose log has grown. */
  readonly #grown = new Set<string>();
  #allDue = 0;

  private constructor(deps: HistoryRecorderDeps) {
    this.#deps = deps;
    this.#pace = new GiveWay(deps, "history gives way");
    this.#stopListening = deps.store.onEvents((eco) => void this.#grown.add(eco));
    this.#timer = every(deps.clock, "record history", EVERY, () => void this.#rounds.ask());
  }

  static start(deps: HistoryRecorderDeps): HistoryRecorder {
    return new HistoryRecorder(deps);
  }

  /** Resolves when the events that are stored now are recorded, or the store refuses. */
  catchUp(): Promise<void> {
    this.#allDue = 0;
    return this.#rounds.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    this.#stopListening();
    this.#end.abort(new Error("history is not recorded any more"));
    await this.#rounds.end();
  }

  /** Works until no log is behind: each in its turn, so that a log that grows constantly does not block the others. */
  async #round(): Promise<void> {
    const { isChosen, log } = this.#deps;
    const failed = new Set<string>();
    try {
      while (isChosen() && !this.#rounds.ended) {
        await this.#lookAtAll();
        const [eco] = this.#grown;
        if (eco === undefined) return;
        this.#grown.delete(eco);
        if (!failed.has(eco)) await this.#followOr(failed, eco);
      }
    } catch (error) {
      if (!this.#rounds.ended) log.warn({ error }, "history could not be recorded; it is tried again");
    } finally {
      for (const eco of failed) this.#grown.add(eco);
    }
  }

  /** A failure of one log does not delay the others, unless the store is the reason. */
  async #followOr(failed: Set<string>, eco: string): Promise<void> {
    const { log } = this.#deps;
    try {
      if (await this.#follow(eco)) this.#grown.add(eco);
    } catch (error) {
      failed.add(eco);
      if (this.#rounds.ended || isNamed(error, "Service Unavailable")) throw error;
      log.error({ error, ecosystem: eco }, "the history of an ecosystem could not be recorded; it is tried again");
    }
  }

  /** Finds, at intervals, the logs that other processes have appended to. */
  async #lookAtAll(): Promise<void> {
    const { clock, store } = this.#deps;
    if (clock.monotonic() < this.#allDue) return;
    this.#allDue = clock.monotonic() + ALL_EVERY;
    for (let after: string | undefined = ""; after !== undefined && !this.#rounds.ended; ) {
      const behind: readonly string[] = await ecosystemsBehind(store, after, AT_ONCE);
      for (const eco of behind) this.#grown.add(eco);
      after = behind.at(-1);
    }
  }

  /** Records some slices of a log. @returns whether there may be more */
  async #follow(eco: string): Promise<boolean> {
    const { store, clock } = this.#deps;
    let position = await positionOf(store.of(eco).sql, eco);
    for (let turn = 0; turn < SLICES; turn++) {
      if (this.#rounds.ended) return false;
      const isLate = position !== undefined && clock.now() - position.at > LATE;
      const after = position;
      const done = await this.#pace.portion(this.#end.signal, isLate, () => this.#slice(eco, after));
      if (!done.goesOn) return false;
      position = done.position;
    }
    return true;
  }

  /** Records one slice of a log. @returns whether there may be more */
  async #slice(eco: string, from: Position | undefined) {
    const slice = await this.#deps.reader.read(eco, from?.sequence ?? 0, SLICE);
    const position =
      slice.kind === "lost" ? await this.#pass(eco, from, slice.after) : await this.#record(eco, from, slice.events);
    return { position, goesOn: position !== undefined && (slice.kind === "lost" || slice.more) };
  }

  /** @returns the new position; undefined when there is nothing to record, or another node has recorded it */
  async #record(eco: string, from: Position | undefined, events: readonly LoggedEvent[]) {
    const { store, log } = this.#deps;
    let [position, isMine] = [from, events.length > 0];
    const moveBy = async (move: (from: Position | undefined) => Promise<Position | undefined>) => {
      if (!isMine) return;
      const to = await move(position);
      if (to) position = to;
      else isMine = false;
    };
    await store.setAside.each(events, {
      ...{ loop: "history", log, about: ({ id, sequence }) => ({ ecosystem: eco, event: id, sequence }) },
      work: (part) => moveBy((at) => this.#recordPart(eco, at, part)),
      aside: (event) => moveBy((at) => this.#passOver(eco, at, event)),
    });
    return isMine ? position : undefined;
  }

  /** Skips an event that cannot be recorded: if it is a change, its property has a gap until the next one. */
  async #passOver(eco: string, from: Position | undefined, event: LoggedEvent): Promise<Position | undefined> {
    const to: Position = { sequence: event.sequence, at: event.createdAt };
    const fact = changeIn(event);
    const isMine = await this.#deps.store.writeService(async (tx) => {
      if (!(await movePosition(tx, eco, from, to))) return false;
      if (fact) await openGap(tx, eco, seriesKey(fact.deviceId, fact), fact.at);
      return true;
    });
    return isMine ? to : undefined;
  }

  async #recordPart(eco: string, from: Position | undefined, events: readonly LoggedEvent[]) {
    const { store, choiceOf } = this.#deps;
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return undefined;
    const to: Position = { sequence: last.sequence, at: last.createdAt };
    const choice = await choiceOf(eco);
    const deps = this.#recordDeps(eco, choice);
    const { gap, isPaused } = await goOn(store, deps, choice.enabled, first.createdAt);
    const all = events.flatMap((event) => factOf(event) ?? []);
    const facts = isPaused ? all.filter(({ kind }) => kind !== "change") : all;
    const isMine = await store.writeService(async (tx) => {
      if (!(await movePosition(tx, eco, from, to))) return false;
      if (gap) await writeGap(tx, eco, gap);
      await recordFacts(tx, deps, facts);
      return true;
    });
    return isMine ? to : undefined;
  }

  /** Skips events that have been deleted. @param after the last of them */
  async #pass(eco: string, from: Position | undefined, after: number): Promise<Position | undefined> {
    const { store, clock, log, reader, choiceOf } = this.#deps;
    const next = await reader.read(eco, after, 1);
    const oldest = next.kind === "events" ? next.events[0] : undefined;
    const to: Position = { sequence: after, at: from?.at ?? oldest?.createdAt ?? clock.now() };
    if (from)
      log.warn({ ecosystem: eco, from: from.sequence, to: after }, "events were deleted before history recorded them");
    else await recordStanding(store, this.#recordDeps(eco, await choiceOf(eco)), to.at);
    const isMine = await store.writeService(async (tx) => {
      if (!(await movePosition(tx, eco, from, to))) return false;
      if (from) await writePause(tx, eco, from.at);
      return true;
    });
    return isMine ? to : undefined;
  }

  #recordDeps(eco: string, { rawDays, statisticsDays }: HistoryChoice): RecordDeps {
    const now = this.#deps.clock.now();
    const keep = { points: now - rawDays * DAY, steps: now - statisticsDays * DAY };
    const { partitions, log } = this.#deps;
    return { eco, keep, partitions, log };
  }
}

/** The change in an event; undefined also for an event that cannot be parsed. */
function changeIn(event: LoggedEvent): Extract<Fact, { kind: "change" }> | undefined {
  try {
    const fact = factOf(event);
    return fact?.kind === "change" ? fact : undefined;
  } catch {
    return undefined;
  }
}
