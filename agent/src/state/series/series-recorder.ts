/**
 * Records the history of properties (A11), inside the transactions that store their values: one row per change, and one per step,
 * those of an hour when it is complete. The rules of aggregation are shared with the cloud (`shared/history`).
 *
 * Invariants: while the time is unknown, or the disk is full, nothing is recorded and the period is a gap; values that changed in it
 * are recorded at its end. A change dated before its predecessor counts from the predecessor's time. A record that fails does not fail
 * its transaction: it is skipped and counted, and the property has a gap until its next change.
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
import { isOfRecord } from "../database.ts";
import type { HubClock } from "../hub-clock.ts";
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
  /** Whether history is enabled and the disk has room. */
  readonly isWanted: () => boolean;
  /** Runs work in a savepoint: if it fails, all of it is rolled back, and nothing else of the transaction. */
  readonly apart: (work: () => void) => void;
  /** Called with the error for which a record was skipped. */
  readonly leftOut: (failure: unknown) => void;
}

/** A clock without a battery starts at 1970 or at its system's build date: 2024-01-01. */
const EARLIEST = 1_704_067_200_000;
/** A clock that goes back by more than this was wrong before, ms. */
const WRONG_BY = 600_000;

/** State in memory that is restored when a transaction is rolled back. */
interface Running {
  readonly isRecording: boolean;
  /** The reason for the current gap. */
  readonly reason: GapReason;
  /** Changes and gaps that were written. */
  readonly written: number;
  /** Changes and gaps that could not be recorded. */
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

  /** History is complete up to this time: wall clock, ms. */
  get recordedUntil(): number {
    return this.#isPossible ? this.#now : this.#deps.hub.aliveAt;
  }

  /** The open state of a series; undefined while nothing is recorded for it. */
  state(series: Series): SeriesState | undefined {
    return this.#states.get(series);
  }

  /** Complete steps of a series that are not in its rows yet, in order. */
  waiting(series: Series, step: Step): readonly Bucket[] {
    return this.#states.waiting(series, step);
  }

  /** The gaps of a property, of its device and of the hub that overlap an interval, uncut, by start. */
  gaps(target: PropertyTarget, from: number, to: number): Gap[] {
    const all = [...this.#deps.gaps.of(target, from, to), ...this.#lasting()];
    return all.filter((gap) => gap.from < to && gap.until > from).sort((one, other) => one.from - other.from);
  }

  /** Records a new value, or a report of a notify-only property. @param number of the value in the hub's history */
  changed(target: PropertyTarget, value: Value, number: number): void {
    const now = this.#begin();
    if (now !== undefined) this.#record(target, value, number, now);
  }

  /** Closes the device's gap: it is live on its link. */
  arrives(device: string): void {
    const now = this.#begin();
    if (now !== undefined) this.#changeGaps(() => this.#deps.gaps.close(device, now));
  }

  /** Opens a gap of the device: it is no longer live. */
  leaves(device: string): void {
    const now = this.#begin();
    if (now === undefined) return;
    this.#changeGaps(() => {
      // The device may not have arrived since the start of the agent.
      this.#deps.gaps.close(device, now);
      this.#deps.gaps.open(device, now, "device_offline");
    });
    this.#count();
  }

  /** Called at the end of a transaction: history is complete up to now. */
  end(): void {
    const now = this.#begin();
    if (now !== undefined) this.#deps.hub.alive(now);
  }

  committed(): void {
    this.#committed = this.#running;
  }

  /** Restores the state from before a transaction that was rolled back. */
  reload(): void {
    this.#running = this.#committed;
    this.#deps.rows.reload();
    this.#deps.gaps.reload();
    this.#states.clear();
  }

  /** The current gap, which has no row yet. */
  #lasting(): Gap[] {
    const { isRecording, reason } = this.#running;
    const { aliveAt } = this.#deps.hub;
    if (isRecording || aliveAt === 0) return [];
    return [{ from: Math.floor(aliveAt), until: Number.POSITIVE_INFINITY, reason }];
  }

  /** The merged gaps of a property since that time. */
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

  /** Starts or stops recording as needed; returns the time if changes can be recorded now. */
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

  /** Starts recording, or resumes it: the period before becomes a gap, and values that changed in it count as changed now. */
  #goOn(now: number): void {
    const { hub, gaps, devices, values, rows } = this.#deps;
    const { reason } = this.#running;
    this.#running = { ...this.#running, isRecording: true };
    if (hub.aliveAt > 0) gaps.addOfHub({ from: Math.floor(hub.aliveAt), until: now, reason });
    for (const { edgeId, online } of devices.all()) {
      if (!online) gaps.open(edgeId, now, "device_offline");
      else if (devices.isHere(edgeId)) gaps.close(edgeId, now);
      // The device was online when the agent last ran; its gap ends when it arrives.
      else gaps.open(edgeId, now, "hub_offline");
    }
    for (const stored of values.all()) {
      if (stored.event || (stored.value === null && !rows.get(stored))) continue;
      this.#record(stored, stored.value, stored.number, now);
    }
  }

  /** Deletes everything dated after `now`, because the clock was ahead. */
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
    // A single statement is atomic by itself.
    if (complete.length > 0 || isUnknown) apart(write);
    else write();
    this.#count();
  }

  /** Writes gaps atomically: on failure they stay as they were. */
  #changeGaps(work: () => void): void {
    const { apart, gaps } = this.#deps;
    if (!this.#isDone(() => apart(work))) gaps.reload();
  }

  /** Whether the record was written. @throws an error of the disk or the file: then nothing can be written */
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

  /** Undefined for a property that no device has. */
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
