/** Computes in memory what one slice of an event log adds to history: changes, steps, states and gaps. */

import { type Bucket, historyKindOf, recordChange, type SeriesState, type Step } from "@porchlight/shared/history";
import {
  addressKey,
  type DescribedProperty,
  describe,
  type PropertyAddress,
  type PropertyDescription,
} from "@porchlight/shared/model";
import type { Sql } from "../store/index.ts";
import type { Fact } from "./facts.ts";
import { type Gap, GapBook } from "./gaps.ts";
import { type NewSeries, type Series, seriesKey } from "./series-rows.ts";
import type { Point } from "./value-rows.ts";

interface RecordedDevice {
  /** Undefined for a virtual device. */
  readonly clientId: string | undefined;
  /** Undefined for a property that the device does not have. */
  describe(address: PropertyAddress): PropertyDescription | undefined;
}

/** Devices by ID; a device without any row is left out. */
export async function recordedDevices(
  sql: Sql,
  eco: string,
  ids: readonly string[],
): Promise<Map<string, RecordedDevice>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    sql.build
      .selectFrom("devices")
      .select(["id", "client_id", "description"])
      .where("ecosystem_id", "=", eco)
      .where("id", "in", ids),
  );
  return new Map(rows.map((row) => [row.id, new DeviceRow(row.client_id ?? undefined, row.description)]));
}

/** Parses the description on demand: it is needed only for properties without history. */
class DeviceRow implements RecordedDevice {
  readonly clientId: string | undefined;
  readonly #description: string;
  #properties: ReadonlyMap<string, DescribedProperty> | undefined;

  constructor(clientId: string | undefined, description: string) {
    this.clientId = clientId;
    this.#description = description;
  }

  describe(address: PropertyAddress): PropertyDescription | undefined {
    this.#properties ??= describe(JSON.parse(this.#description)).byKey;
    return this.#properties.get(addressKey(address))?.description;
  }
}

/** Start of the retention of points and of steps, wall clock, ms: older results are not stored. */
export interface KeptSince {
  readonly points: number;
  readonly steps: number;
}

/** A series that the slice has changed. */
export interface Changed {
  readonly about: Omit<NewSeries, "state">;
  /** Undefined for a new series. */
  readonly series: number | undefined;
  readonly state: SeriesState;
  readonly points: readonly Point[];
  readonly closed: readonly { readonly step: Step; readonly bucket: Bucket }[];
}

type ChangeFact = Extract<Fact, { kind: "change" }>;
type Open = Omit<Changed, "state" | "points" | "closed"> & {
  state: SeriesState | undefined;
  readonly points: Point[];
  readonly closed: { readonly step: Step; readonly bucket: Bucket }[];
  hasChanged: boolean;
};

interface SliceDeps {
  readonly eco: string;
  readonly devices: ReadonlyMap<string, RecordedDevice>;
  /** The stored series of all devices that the slice changes. */
  readonly stored: readonly Series[];
  readonly keep: KeptSince;
}

export class Slice {
  readonly #deps: SliceDeps;
  readonly #open = new Map<string, Open>();
  readonly #gone = new Set<string>();
  #gaps = new GapBook([]);

  constructor(deps: SliceDeps) {
    this.#deps = deps;
    for (const { series, state, ...about } of deps.stored) {
      const open = { series, state, about: { ...about, environmentId: "" }, points: [], closed: [], hasChanged: false };
      this.#open.set(seriesKey(about.deviceId, about), open);
    }
  }

  /** @param gaps stored gaps of {@link subjectsOf}, from {@link oldest} on */
  apply(facts: readonly Fact[], gaps: readonly Gap[]): void {
    this.#gaps = new GapBook(gaps);
    for (const fact of facts) this.#apply(fact);
  }

  /** All subjects whose gaps these facts read or change: devices, hubs and the ecosystem. */
  subjectsOf(facts: readonly Fact[]): string[] {
    const ids = new Set([this.#deps.eco]);
    for (const fact of facts) {
      if (fact.kind === "change") for (const id of this.#sources(fact)) ids.add(id);
      else if (fact.kind !== "gone") ids.add(fact.subjectId);
    }
    return [...ids];
  }

  /** Time from which gaps matter: the oldest change whose value still stands. Wall clock, ms. */
  get oldest(): number {
    return Math.min(...this.#deps.stored.map(({ state }) => state.at), Number.MAX_SAFE_INTEGER);
  }

  get changed(): readonly Changed[] {
    return [...this.#open.values()].flatMap((open) =>
      open.hasChanged && open.state ? [{ ...open, state: open.state }] : [],
    );
  }

  get gaps() {
    return this.#gaps.changes;
  }

  /** Deleted devices. */
  get gone(): readonly string[] {
    return [...this.#gone];
  }

  #apply(fact: Fact): void {
    switch (fact.kind) {
      case "change":
        this.#change(fact);
        break;
      case "away":
        this.#gaps.away(fact.subjectId, fact.at);
        break;
      case "back":
        this.#gaps.back(fact.subjectId, fact.at);
        break;
      case "restarted":
        this.#gaps.restarted(fact.subjectId, fact.since, fact.at);
        break;
      case "gone":
        this.#gone.add(fact.deviceId);
    }
  }

  #change(fact: ChangeFact): void {
    const open = this.#openOf(fact);
    if (!open) return;
    // A change that could not be recorded has left a gap of the property, which ends here.
    this.#gaps.back(seriesKey(fact.deviceId, fact), fact.at);
    const gaps = this.#gaps.intervals(this.#sources(fact));
    const { state, closed } = recordChange(open.about.kind, open.state, fact, gaps);
    const { points: pointsSince, steps: stepsSince } = this.#deps.keep;
    open.state = state;
    open.hasChanged = true;
    if (state.at >= pointsSince) open.points.push({ at: state.at, sequence: fact.sequence, value: fact.value });
    open.closed.push(...closed.filter(({ bucket }) => bucket.start >= stepsSince));
  }

  /** Undefined for a device or property that no longer exists. */
  #openOf({ deviceId, environmentId, service, index, property }: ChangeFact): Open | undefined {
    const address = { service, index, property };
    const key = seriesKey(deviceId, address);
    const known = this.#open.get(key);
    if (known) return known;
    const description = this.#deps.devices.get(deviceId)?.describe(address);
    if (!description) return undefined;
    const kind = historyKindOf(service, description);
    const about = { ...address, environmentId, deviceId, kind, unit: description.unit };
    const open: Open = { about, series: undefined, state: undefined, points: [], closed: [], hasChanged: false };
    this.#open.set(key, open);
    return open;
  }

  /** The subjects whose gaps apply to a property: itself, its device, its hub, and the whole ecosystem. */
  #sources(fact: ChangeFact): readonly string[] {
    const { eco, devices } = this.#deps;
    const { deviceId } = fact;
    const hub = devices.get(deviceId)?.clientId;
    const all = [seriesKey(deviceId, fact), deviceId, eco];
    return hub === undefined ? all : [...all, hub];
  }
}
