/** The source of answers about one property's history: its rows, and the gaps of the property, its device, its hub and its ecosystem. */
import type { HistoryKind } from "@porchlight/shared/api";
import { type Bucket, historyKindOf, NONE, type Step } from "@porchlight/shared/history";
import type {
  HistoryRow,
  HistorySource,
  HistorySources,
  RowPlace,
  SourceGap,
  SourceOverview,
} from "@porchlight/shared/rest";
import type { Selected } from "../devices/index.ts";
import { LogReader } from "../events/index.ts";
import type { Sql, Store } from "../store/index.ts";
import { type Gap, gapsOf, intervalOf } from "./gaps.ts";
import { positionOf } from "./recording-rows.ts";
import { type Series, seriesKey, seriesOf } from "./series-rows.ts";
import { bucketsIn, firstStep, lastBefore, pointBefore, pointsIn } from "./value-rows.ts";

export interface SeriesSourceDeps {
  readonly sql: Sql;
  readonly eco: string;
  readonly about: Pick<HistorySource, "deviceId" | "service" | "index" | "property"> & {
    readonly kind: HistoryKind;
    readonly unit: string | undefined;
    /** Undefined for a virtual device. */
    readonly clientId: string | undefined;
  };
  /** Undefined when no history is recorded. */
  readonly series: Series | undefined;
}

export class SeriesSource implements HistorySource {
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
  readonly #deps: SeriesSourceDeps;

  constructor(deps: SeriesSourceDeps) {
    const { about } = deps;
    this.#deps = deps;
    this.deviceId = about.deviceId;
    this.service = about.service;
    this.index = about.index;
    this.property = about.property;
    // The recorded statistics were computed for this kind, even if the description has changed since.
    this.kind = deps.series?.kind ?? about.kind;
    this.unit = about.unit;
  }

  async overview(): Promise<SourceOverview | undefined> {
    const { sql, series } = this.#deps;
    if (!series) return undefined;
    const open = series.state.open.hours.start;
    return { state: series.state, begins: (await firstStep(sql, series.series)) ?? open };
  }

  async raw(from: number, to: number, after: RowPlace | undefined, limit: number): Promise<readonly HistoryRow[]> {
    const { sql, series } = this.#deps;
    return series ? pointsIn(sql, { series: series.series, from, to }, after, limit) : [];
  }

  async before(at: number) {
    const { sql, series } = this.#deps;
    if (!series) return undefined;
    const { state } = series;
    // Works also when the change itself is older than the retention.
    if (state.at < at) return state.value === NONE ? undefined : { at: state.at, value: state.value };
    const point = await pointBefore(sql, series.series, at);
    return point && point.value !== NONE ? { at: point.at, value: point.value } : undefined;
  }

  async kept(step: Step, from: number, to: number): Promise<readonly Bucket[]> {
    const { sql, series } = this.#deps;
    return series ? bucketsIn(sql, step, { series: series.series, from, to }) : [];
  }

  async heldAt(step: Step, at: number): Promise<string | undefined> {
    const { sql, series } = this.#deps;
    if (!series) return undefined;
    if (series.state.open[step].start < at) return series.state.value;
    return lastBefore(sql, step, series.series, at);
  }

  async gaps(from: number, to: number): Promise<readonly SourceGap[]> {
    const { sql, eco, about } = this.#deps;
    const property = seriesKey(about.deviceId, about);
    const subjects = [property, about.deviceId, eco, ...(about.clientId === undefined ? [] : [about.clientId])];
    const gaps = await gapsOf(sql, eco, subjects, from);
    const reaching = gaps.filter(({ since }) => since < to);
    return reaching.map((gap) => ({
      ...intervalOf(gap),
      reason: gap.subjectId === property ? "not_recorded" : reasonOf(gap),
    }));
  }
}

function reasonOf({ subjectId }: Gap): SourceGap["reason"] {
  if (subjectId.startsWith("dev_")) return "device_offline";
  return subjectId.startsWith("cli_") ? "hub_offline" : "not_recorded";
}

/** Devices in one query. */
const AT_ONCE = 500;

/** Wall clock, ms: the present time, and the earliest time of which history can be kept. */
interface HistoryTimes {
  readonly now: number;
  readonly begins: number;
}

/**
 * The sources of a history answer: the selected properties, and the time up to which their ecosystem's log is recorded.
 * @param selected properties of one service class @throws "Service Unavailable"
 */
export async function sourcesOf(
  store: Store,
  eco: string,
  selected: readonly Selected[],
  { now, begins }: HistoryTimes,
): Promise<HistorySources> {
  const { sql } = store.of(eco);
  // Read before the series: events recorded in between lie after this time, for which the answer makes no claim.
  const recordedUntil = await recordedUntilOf(store, eco, now);
  const ids = [...new Set(selected.map(({ device }) => device.id))];
  const recorded = new Map<string, Series>();
  const [first] = selected;
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const each of await seriesOf(sql, eco, ids.slice(at, at + AT_ONCE), first?.property.service))
      recorded.set(seriesKey(each.deviceId, each), each);
  const series = selected.map(({ device, property }) => {
    const { service, index, property: name, description } = property;
    const about = {
      ...{ deviceId: device.id, clientId: device.clientId ?? undefined, service, index, property: name },
      ...{ kind: historyKindOf(service, description), unit: description.unit },
    };
    return new SeriesSource({ sql, eco, about, series: recorded.get(seriesKey(device.id, about)) });
  });
  return { recordedUntil, begins, series };
}

/** The time at which the first unrecorded event was stored; now when there is none. */
async function recordedUntilOf(store: Store, eco: string, now: number): Promise<number> {
  const position = await positionOf(store.of(eco).sql, eco);
  const next = await new LogReader(store).read(eco, position?.sequence ?? 0, 1);
  if (next.kind === "lost") return position?.at ?? now;
  return next.events[0]?.createdAt ?? now;
}
