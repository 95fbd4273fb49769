/**
 * The rules of the hub's history (T6), each a job that runs inside one transaction: a value takes the next number when it is
 * stored, and its record enters the outbox with it. The jobs neither open nor commit transactions.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { type DeviceDescription, findProperty, UNKNOWN_TIME, type Value, valuesEqual } from "@porchlight/shared/model";
import { CHANGE_CAUSES, type ChangeCause } from "@porchlight/shared/rest";
import type { HomeEventWriter } from "./home-event-writer.ts";
import {
  type ArrivingDevice,
  type Devices,
  described,
  type Learned,
  type Observed,
  type PropertyTarget,
  targetKey,
} from "./rows/devices.ts";
import type { HubRow } from "./rows/hub-row.ts";
import {
  type Cause,
  type CommandEnd,
  type CommandRequest,
  type CommandScene,
  commandCause,
  type Journal,
  type JournalEntry,
  type StoredResult,
  sceneCause,
} from "./rows/journal.ts";
import type { Outbox } from "./rows/outbox.ts";
import type { ReportName, SeenReports } from "./rows/seen-reports.ts";
import { learn, type StoredValue, type Values } from "./rows/values.ts";
import type { SeriesRecorder } from "./series/series-recorder.ts";

/** The stored state of a property before a new report. */
interface KnownProperty {
  readonly key: string;
  /** The property can only notify: every report is a new event. */
  readonly event: boolean;
  readonly before: StoredValue | undefined;
}

interface ValueOrigin {
  readonly at?: number | undefined;
  readonly scene?: CommandScene | undefined;
}

export interface Tables {
  readonly hub: HubRow;
  readonly devices: Devices;
  readonly values: Values;
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly seen: SeenReports;
}

/** Receives the changes that the history stores. */
export interface Recorders {
  /** Undefined when the hub keeps no events for readers at home. */
  readonly homeEvents: HomeEventWriter | undefined;
  readonly series: SeriesRecorder;
}

export class History {
  readonly #tables: Tables;
  readonly #clock: Clock;
  readonly #homeEvents: HomeEventWriter | undefined;
  readonly #series: SeriesRecorder;

  constructor(tables: Tables, clock: Clock, { homeEvents, series }: Recorders) {
    this.#tables = tables;
    this.#clock = clock;
    this.#homeEvents = homeEvents;
    this.#series = series;
  }

  /**
   * Stores a report that a device sent unprompted. `busy`: the value is an event, and the outbox is full of records that may not be
   * dropped.
   */
  report(observed: Observed, name: ReportName): "stored" | "repeated" | "busy" {
    const { seen, outbox } = this.#tables;
    if (seen.has(name)) return "repeated";
    const known = this.#known(observed);
    if (this.#kept(known, observed.value)) {
      seen.note(name);
      return "stored";
    }
    if (!outbox.makeRoom() && known.event) return "busy";
    this.#store(observed, "report", known);
    seen.store(name);
    return "stored";
  }

  /**
   * Notes in memory that the device repeats a value, without a write.
   * @returns false when the value must be stored: it differs, or the last write is a minute ago
   */
  repeat(observed: Observed): boolean {
    return this.#kept(this.#known(observed), observed.value) !== undefined;
  }

  /** Stores a value that was read on request, or written at home. An equal value keeps its number. */
  learn(observed: Observed, cause: Cause, scene?: CommandScene): Learned {
    const known = this.#known(observed);
    const kept = this.#kept(known, observed.value);
    if (kept) return kept;
    this.#tables.outbox.makeRoom();
    return this.#store(observed, cause, known, { scene });
  }

  /**
   * Stores a retained value, whose time is unknown: it counts only when no other value is known. The device's earlier report can be
   * older or newer than a differing retained value: the current one is unknown, so the property loses its value.
   */
  learnRetained(observed: Observed): void {
    const known = this.#known(observed);
    const { before, event } = known;
    if (event || (before && (before.value === null || valuesEqual(before.value, observed.value)))) return;
    this.#tables.outbox.makeRoom();
    if (before && before.observedAt !== UNKNOWN_TIME) this.#store({ ...observed, value: null }, "read", known);
    else this.#store(observed, "read", known, { at: UNKNOWN_TIME });
  }

  /**
   * Stores a device as live on its link. It gets a new arrival number if the history last recorded it as offline, else it keeps its
   * number.
   */
  arrive(device: ArrivingDevice): void {
    const { devices, hub } = this.#tables;
    const { edgeId } = device;
    const known = devices.get(edgeId);
    const now = described(device);
    this.#series.arrives(edgeId);
    devices.nowHere(edgeId, true);
    if (known?.online && known.digest === now.digest) return;
    if (known && known.digest !== now.digest) this.#endUndescribed(edgeId, now.description);
    const stay = known?.online ? known : { arrival: hub.nextArrival(), since: this.#clock.now() };
    devices.store({ ...now, arrival: stay.arrival, online: true, since: stay.since });
    if (!known) this.#homeEvents?.added(edgeId);
    if (known && known.digest !== now.digest) this.#homeEvents?.device("device.updated", edgeId);
    if (known?.online) return;
    this.#presence(edgeId, true);
    if (known) this.#homeEvents?.device("device.online", edgeId);
  }

  /**
   * Ends the properties that the device no longer describes: deletes their values, and with them the stored state that a later property
   * at the same address could be compared with.
   */
  #endUndescribed(edgeId: string, description: DeviceDescription): void {
    const { values, outbox } = this.#tables;
    for (const { device, service, index, property, value, event } of values.all()) {
      const target = { device, service, index, property };
      if (device !== edgeId || findProperty(description, target)) continue;
      if (!event && value !== null) {
        outbox.makeRoom();
        this.#store({ ...target, value: null }, "report", this.#known(target));
      }
      values.delete(target);
    }
  }

  /** Reports a device to the cloud again, with a new arrival number and all its last values. False when the device is unknown. */
  addDevice(edgeId: string): boolean {
    const { devices, hub, values } = this.#tables;
    const known = devices.get(edgeId);
    if (!known) return false;
    devices.store({ ...known, arrival: hub.nextArrival() });
    this.#presence(edgeId, known.online);
    this.#tellAgain(values.all().filter(({ device }) => device === edgeId));
    return true;
  }

  /** Stores a device as offline. */
  leave(edgeId: string): void {
    const { devices } = this.#tables;
    const known = devices.get(edgeId);
    devices.nowHere(edgeId, false);
    if (!known?.online) return;
    this.#series.leaves(edgeId);
    devices.store({ ...known, online: false, since: this.#clock.now() });
    this.#presence(edgeId, false);
    this.#homeEvents?.device("device.offline", edgeId);
  }

  /** Records a command that is about to reach hardware. `known`: the journal has its id already. */
  begin(request: CommandRequest, runningMs: number): "begun" | "known" {
    const { journal } = this.#tables;
    if (journal.entry(request.id)) return "known";
    journal.begin(request, runningMs, this.#clock.now());
    return "begun";
  }

  /** Records a refused command: its entry begins and ends at once. An entry that has begun or ended before stays as it is. */
  refuse(request: CommandRequest, end: CommandEnd, runningMs: number): JournalEntry {
    const { journal } = this.#tables;
    const known = journal.entry(request.id);
    if (known) return known;
    journal.begin(request, runningMs, this.#clock.now());
    return { kind: "ended", result: this.end(end) };
  }

  /** Ends a command that was begun: stores its entry, its record and the resulting value, all under one number. */
  end({ local, scene, hops, ...end }: CommandEnd): StoredResult {
    if (local) return this.#endLocal(end, scene, hops);
    const { hub, values, outbox, journal } = this.#tables;
    const result: StoredResult = { kind: "result", n: hub.nextNumber(), ...end };
    if (end.outcome === "confirmed" && end.value !== undefined) {
      const known = this.#known(end);
      values.store(end, { value: end.value, number: result.n, ...known });
      this.#series.changed(end, end.value, result.n);
      if (this.#homeEvents) this.#tell(this.#homeEvents, end, known, commandCause(end.command, scene));
    }
    outbox.makeRoom();
    outbox.append(result, null);
    journal.end(result, hops);
    return result;
  }

  /** Reports the value that a confirmed command at home leaves as any other value; a command that failed at home is not reported. */
  #endLocal(
    end: Omit<CommandEnd, "local" | "scene" | "hops">,
    scene: CommandScene | undefined,
    hops: CommandEnd["hops"],
  ): StoredResult {
    const { device, service, index, property, outcome, value } = end;
    const failed: StoredResult = { kind: "result", n: 0, ...end };
    const confirmed = outcome === "confirmed" && value !== undefined;
    const learned = confirmed ? this.learn({ device, service, index, property, value }, "local", scene) : undefined;
    const result = learned ? { ...failed, ...learned, modifiedAt: this.#tables.values.get(end)?.modifiedAt } : failed;
    this.#tables.journal.end(result, hops);
    return result;
  }

  /** Ends a command that was begun before the agent's restart with an unknown outcome. */
  endUnknown({ id, device, service, index, property, value, local }: CommandRequest): void {
    this.end({
      local,
      command: id,
      device,
      service,
      index,
      property,
      requested: value,
      outcome: "unknown",
      observedAt: this.#clock.now(),
      failure: { name: "Hub Timeout", detail: "The hub's agent was stopped while it carried out the command." },
    });
  }

  /** Reports every current value again, under a new number, for a cloud that has lost them. Events are not repeated. */
  resync(): void {
    this.#tellAgain(this.#tables.values.all());
  }

  #tellAgain(values: readonly StoredValue[]): void {
    for (const { value, event, device, service, index, property, observedAt } of values) {
      if (event) continue;
      const observed = { device, service, index, property, value };
      this.#store(observed, "read", this.#known(observed), { at: observedAt });
    }
  }

  #known(target: PropertyTarget): KnownProperty {
    const { values, devices } = this.#tables;
    const key = targetKey(target);
    return { key, event: devices.isEvent(target), before: values.get(target, key) };
  }

  /** The stored value's place in the history, if the report repeats it and must not be written. */
  #kept({ event, before }: KnownProperty, value: Value): Learned | undefined {
    if (
      !before ||
      before.observedAt === UNKNOWN_TIME ||
      learn(before, value, event, this.#clock.monotonic()) === "store"
    )
      return undefined;
    return { n: before.number, observedAt: this.#tables.values.confirm(before) };
  }

  /** @param more `at`: when the device reported the value, now when left out; `scene`: the scene whose command at home set the value */
  #store(observed: Observed, cause: Cause, known: KnownProperty, { at, scene }: ValueOrigin = {}): Learned {
    const { hub, values, outbox } = this.#tables;
    const { device, service, index, property, value } = observed;
    const { key, event } = known;
    const n = hub.nextNumber();
    const observedAt = values.store(observed, { value, number: n, event, at, key });
    this.#series.changed(observed, value, n);
    if (this.#homeEvents)
      this.#tell(this.#homeEvents, observed, known, scene ? sceneCause(scene) : { kind: CHANGE_CAUSES[cause] });
    const called = scene?.by && { scene: { id: scene.id, by: scene.by } };
    const record = { kind: "value", n, device, service, index, property, value, observedAt, cause, ...called } as const;
    outbox.append(record, event ? null : key);
    return { n, observedAt };
  }

  /** Writes an event for readers at home. An equal value is no change, except that every report of a notify-only property is one. */
  #tell(events: HomeEventWriter, target: Observed | CommandEnd, known: KnownProperty, cause: ChangeCause): void {
    const { event, before } = known;
    if (event) events.changed(target, undefined, cause);
    else if (!before || !valuesEqual(before.value, target.value ?? null)) events.changed(target, before, cause);
  }

  #presence(device: string, online: boolean): void {
    const { hub, outbox } = this.#tables;
    outbox.makeRoom();
    outbox.append(
      { kind: "presence", n: hub.nextNumber(), device, online, observedAt: this.#clock.now() },
      `presence ${device}`,
    );
  }
}
