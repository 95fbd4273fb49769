/**
 * Records what properties were (A11), inside the transactions in which the hub learns it: one row a change, and one a step, those of an
 * hour when it is complete. The rules of how it is added up are those of the cloud (`shared/history`).
 *
 * Invariants: while the time is not known, or the disk is full, nothing is recorded, and that time is a gap; what changed meanwhile is
 * recorded when it is over. A change that is dated before the one before it counts from the time of that one. What cannot be recorded fails
 * nothing else in its transaction: it is left out, counted, and a gap of its property until the next change.
 */
import {
  type Bucket,
  historyKindOf,
  type Interval,
  merged,
  NONE,
  recordChange,
  type SeriesState,
  type Step,
} from "@porchlight/shared/history";
import { findProperty, type Value, valuesEqual } from "@porchlight/shared/model";
import { isOfRecord } from "../database/database.ts";
import type { HubClock } from "../database/hub-clock.ts";
import { type Devices, type PropertyTarget, targetKey } from "../rows/devices.ts";
import type { HubRow } from "../rows/hub-row.ts";
import type { Values } from "../rows/values.ts";
import type { Gap, GapReason, GapRows } from "./gap-rows.ts";
import type { Series, SeriesRows } from "./series-rows.ts";
import { SeriesStates } from "./series-state.ts";

export interface SeriesRecorderDeps {
  readonly clock: HubClock;
  readonly hub: HubRow;
  readonly devices: Devices;
  readonly values: Values;
  readonly rows: SeriesRows;
  readonly gaps: GapRows;
  /** Whether anything is to be recorded, and the disk takes it. */
  readonly isWanted: () => boolean;
  /** Runs work inside the transaction so that all of it is undone if it fails, and nothing else. */
  readonly apart: (work: () => void) => void;
  /** Called with the error that kept a record out of history. */
  readonly leftOut: (failure: unknown) => void;
}

/** A clock without a battery begins at 1970, or when its system was made: 2024-01-01. */
const EARLIEST = 1_704_067_200_000;
/** A clock that goes back by more was wrong before, ms. */
const WRONG_BY = 600_000;

/** What is so in memory, and must be as before when a transaction is rolled back. */
interface Running {
  readonly isRecording: boolean;
  /** Why nothing is recorded at present. */
  readonly reason: GapReason;
  /** Changes and gaps that were written. */
  readonly written: number;
  /** What could not be recorded. */
  readonly leftOut: number;
}

export class SeriesRecorder {
  readonly #deps: SeriesRecorderDeps;
  readonly #states: SeriesStates;
  #running: Running = { isRecording: false, reason: "hub_offline", written: 0, leftOut: 0 };
  #committed = this.#running;

  constructor(deps: SeriesRecorderDeps) {
    this.#deps = deps;
    this.#states = new SeriesStates(deps.rows, (series, at) => this.#unknownSince(series, at));
  }

  /** Changes and gaps that were written in this life of the agent. */
  get written(): number {
    return this.#running.written;
  }

  /** Changes and gaps that could not be recorded in this life of the agent. */
  get leftOut(): number {
    return this.#running.leftOut;
  }

  /** Up to when all is recorded: wall clock, ms. */
  get recordedUntil(): number {
    return this.#isPossible ? this.#now : this.#deps.hub.aliveAt;
  }

  /** What is open of a series; undefined while nothing is recorded of it. */
  state(series: Series): SeriesState | undefined {
    return this.#states.get(series);
  }

  /** Complete steps of a series that are not in its rows yet, in order. */
  waiting(series: Series, step: Step): readonly Bucket[] {
    return this.#states.waiting(series, step);
  }

  /** When a property was not known, for itself, with its device or with its hub: what reaches into a time, whole, by the beginnings. */
  gaps(target: PropertyTarget, from: number, to: number): Gap[] {
    const all = [...this.#deps.gaps.of(target, from, to), ...this.#lasting()];
    return all.filter((gap) => gap.from < to && gap.until > from).sort((one, other) => one.from - other.from);
  }

  /** A property has a value, or has told something. @param number of the value in the hub's history */
  changed(target: PropertyTarget, value: Value, number: number): void {
    const now = this.#begin();
    if (now !== undefined) this.#record(target, value, number, now);
  }

  /** A device is live on its link. */
  arrives(device: string): void {
    const now = this.#begin();
    if (now !== undefined) this.#changeGaps(() => this.#deps.gaps.close(device, now));
  }

  /** A device is live no more. */
  leaves(device: string): void {
    const now = this.#begin();
    if (now === undefined) return;
    this.#changeGaps(() => {
      // It may not have come since the agent was started.
      this.#deps.gaps.close(device, now);
      this.#deps.gaps.open(device, now, "device_offline");
    });
    this.#count();
  }

  /** At the end of a transaction: all is recorded up to now. */
  end(): void {
    const now = this.#begin();
    if (now !== undefined) this.#deps.hub.alive(now);
  }

  committed(): void {
    this.#committed = this.#running;
  }

  /** Is as it was before a transaction that was rolled back. */
  reload(): void {
    this.#running = this.#committed;
    this.#deps.rows.reload();
    this.#deps.gaps.reload();
    this.#states.clear();
  }

  /** A gap that lasts and has no row yet. */
  #lasting(): Gap[] {
    const { isRecording, reason } = this.#running;
    const { aliveAt } = this.#deps.hub;
    if (isRecording || aliveAt === 0) return [];
    return [{ from: Math.floor(aliveAt), until: Number.POSITIVE_INFINITY, reason }];
  }

  /** What of the time since then was not known of a property; merged. */
  #unknownSince(target: PropertyTarget, at: number): readonly Interval[] {
    const stored = this.#deps.gaps.since(target, at);
    const lasting = this.#lasting();
    return lasting.length > 0 ? merged([...stored, ...lasting]) : stored;
  }

  #count(): void {
    this.#running = { ...this.#running, written: this.#running.written + 1 };
  }

  get #isPossible(): boolean {
    return this.#deps.isWanted() && this.#hasTime;
  }

  get #hasTime(): boolean {
    return this.#deps.clock.source !== "guessed" && this.#now >= EARLIEST;
  }

  get #now(): number {
    return Math.floor(this.#deps.clock.now());
  }

  /** The time, when what happens now can be recorded. */
  #begin(): number | undefined {
    const { isRecording } = this.#running;
    if (!this.#isPossible) {
      if (isRecording) this.#running = { ...this.#running, isRecording: false, reason: "not_recorded" };
      return undefined;
    }
    const now = this.#now;
    if (now < this.#deps.hub.aliveAt - WRONG_BY) this.#changeGaps(() => this.#goBack(now));
    if (!isRecording) this.#changeGaps(() => this.#goOn(now));
    return now;
  }

  /** Recording begins, or begins again: what was not recorded is a gap, and what has changed in it changes now. */
  #goOn(now: number): void {
    const { hub, gaps, devices, values, rows } = this.#deps;
    const { reason } = this.#running;
    this.#running = { ...this.#running, isRecording: true };
    if (hub.aliveAt > 0) gaps.addOfHub({ from: Math.floor(hub.aliveAt), until: now, reason });
    for (const { edgeId, online } of devices.all()) {
      if (!online) gaps.open(edgeId, now, "device_offline");
      else if (devices.isHere(edgeId)) gaps.close(edgeId, now);
      // It was there when the agent last ran, and is known again when it comes.
      else gaps.open(edgeId, now, "hub_offline");
    }
    for (const stored of values.all()) {
      if (stored.event || (stored.value === null && !rows.get(stored))) continue;
      this.#record(stored, stored.value, stored.number, now);
    }
  }

  /** The clock was ahead: what was dated by it never was. */
  #goBack(now: number): void {
    const { hub, rows, gaps } = this.#deps;
    for (const series of rows.all()) rows.forgetAfter(series, now);
    gaps.cut(now);
    hub.alive(now);
    this.#states.clear();
  }

  #record(target: PropertyTarget, value: Value, number: number, at: number): void {
    if (this.#isDone(() => this.#recordChange(target, value, number, at))) return;
    const series = this.#deps.rows.get(target);
    if (series) this.#states.forget(series);
    this.#changeGaps(() => this.#deps.gaps.open(targetKey(target), at, "not_recorded"));
  }

  #recordChange(target: PropertyTarget, value: Value, number: number, at: number): void {
    const { rows, gaps, apart } = this.#deps;
    const series = rows.get(target) ?? this.#add(target);
    if (!series) return;
    const key = targetKey(target);
    const isUnknown = gaps.isOpen(key);
    const before = this.#states.get(series);
    if (!isUnknown && series.kind !== "event" && isSame(before?.value ?? NONE, value)) return;
    const change = { at, value: JSON.stringify(value) };
    const recorded = recordChange(series.kind, before, change, this.#unknownSince(series, before?.at ?? at));
    const complete = this.#states.record(series, recorded);
    const write = () => {
      if (complete.length > 0) rows.settle(series);
      for (const { step, bucket } of complete) rows.addStep(series, step, bucket);
      rows.addChange(series, { at: recorded.state.at, number, value: change.value });
      if (isUnknown) gaps.close(key, at);
    };
    // A single statement is whole by itself.
    if (complete.length > 0 || isUnknown) apart(write);
    else write();
    this.#count();
  }

  /** Gaps are written, or stay as they were. */
  #changeGaps(work: () => void): void {
    const { apart, gaps } = this.#deps;
    if (!this.#isDone(() => apart(work))) gaps.reload();
  }

  /** Whether it could be recorded. @throws what says that the disk or the file is the reason: nothing can be written then */
  #isDone(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (failure) {
      if (!isOfRecord(failure)) throw failure;
      this.#running = { ...this.#running, leftOut: this.#running.leftOut + 1 };
      this.#deps.leftOut(failure);
      return false;
    }
  }

  /** Undefined of a property that no device has. */
  #add(target: PropertyTarget): Series | undefined {
    const device = this.#deps.devices.get(target.device);
    const description = device && findProperty(device.description, target);
    return description && this.#deps.rows.add(target, historyKindOf(target.service, description));
  }
}

/** @param before JSON */
function isSame(before: string, value: Value): boolean {
  if (before === JSON.stringify(value)) return true;
  return typeof value === "object" && valuesEqual(JSON.parse(before), value);
}
