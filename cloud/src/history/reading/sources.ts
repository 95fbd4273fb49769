/** What an answer of history is made from: the properties that were asked for, and up to when the log of their ecosystem is recorded. */
import { historyKindOf } from "@porchlight/shared/history";
import type { HistorySources } from "@porchlight/shared/rest";
import type { Selected } from "../../devices/index.ts";
import { LogReader } from "../../events/index.ts";
import type { Store } from "../../store/index.ts";
import { positionOf } from "../rows/position-rows.ts";
import { type Series, seriesKey, seriesOf } from "../rows/series-rows.ts";
import { SeriesSource } from "./series-source.ts";

/** Devices of one question. */
const AT_ONCE = 500;

/** Wall clock, ms: what time it is, and from when on anything may be kept. */
export interface HistoryTimes {
  readonly now: number;
  readonly begins: number;
}

/** @param selected properties of one service class @throws "Service Unavailable" */
export async function sourcesOf(
  store: Store,
  eco: string,
  selected: readonly Selected[],
  { now, begins }: HistoryTimes,
): Promise<HistorySources> {
  const { sql } = store.of(eco);
  // Before the series are read: what is recorded meanwhile is told as well, and belongs to a time that is not told of.
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

/** When the first event was stored that is not recorded; now when there is none. */
async function recordedUntilOf(store: Store, eco: string, now: number): Promise<number> {
  const position = await positionOf(store.of(eco).sql, eco);
  const next = await new LogReader(store).read(eco, position?.sequence ?? 0, 1);
  if (next.kind === "lost") return position?.at ?? now;
  return next.events[0]?.createdAt ?? now;
}
