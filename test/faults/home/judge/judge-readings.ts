/** Whether the values that were read are those that the devices had, and none older than a value that was answered before. Pure. */
import type { FinalValue, HomeRecord, Reading } from "../record.ts";
import { propertyKey } from "../record.ts";
import type { Violation } from "./violation.ts";

/** How long a node of several may not know what another has acknowledged, ms. */
const STALE_MS = 1000;
/** A refresh may share a read that was under way when it came, and that waits no longer than this, ms. */
const SHARED_MS = 3500;

interface Change {
  readonly value: unknown;
  readonly at: number;
}

/** A change that a client was answered, by its place in the property's history. */
interface Acknowledged {
  readonly index: number;
  readonly at: number;
  readonly api: Reading["api"];
}

interface PropertyHistory {
  readonly changes: readonly Change[];
  readonly acknowledged: readonly Acknowledged[];
}

export function judgeReadings(record: HomeRecord): Violation[] {
  const histories = historiesOf(record);
  return record.readings.flatMap((reading) =>
    judgeReading(reading, historyOf(histories, record, reading), record.nodes),
  );
}

function judgeReading(reading: Reading, { changes, acknowledged }: PropertyHistory, nodes: number): Violation[] {
  const { api, value, begin, end, refreshed } = reading;
  const name = `${propertyKey(reading)} was ${refreshed ? "refreshed" : "read"} (${api}) as ${JSON.stringify(value)}`;
  const around = [begin, end] as const;
  const index = changes.findLastIndex((change) => change.value === value && change.at <= end);
  if (index < 0) return [{ rule: "never had", text: `${name}, which it never had until then`, about: reading, around }];
  const age = refreshed ? SHARED_MS : nodes > 1 ? STALE_MS : 0;
  // The service learns later of what was set at home.
  const known = acknowledged.filter((each) => each.at <= begin - age && (each.api === "cloud" || api === "home"));
  const newest = known.reduce((most, each) => (each.index > (most?.index ?? -1) ? each : most), known[0]);
  if (newest === undefined || newest.index <= index) return [];
  const then = JSON.stringify(changes[newest.index]?.value);
  const text = `${name}, ${Math.round(begin - newest.at)} ms after ${then} was confirmed`;
  return [{ rule: "older than told", text, about: reading, around: [newest.at, end] }];
}

/** What each property was, oldest first, and what clients were answered of it. */
function historiesOf({ acts, writes, first }: HomeRecord): ReadonlyMap<string, PropertyHistory> {
  const byProperty = Map.groupBy(acts, propertyKey);
  const confirmed = Map.groupBy(
    writes.flatMap((write) => write.asks.filter(({ status }) => status === 200).map((ask) => ({ write, ask }))),
    ({ write }) => propertyKey(write),
  );
  const keyed = [...byProperty].map(([key, list]) => {
    const [one] = list;
    const begin: Change = { value: first[one?.property ?? ""], at: Number.NEGATIVE_INFINITY };
    const changes = [begin, ...list.toSorted((a, b) => a.at - b.at)];
    const indexOf = new Map(changes.map(({ value }, index) => [value, index]));
    const acknowledged = (confirmed.get(key) ?? []).flatMap(({ write, ask }) => {
      const index = indexOf.get(write.value);
      return index === undefined || ask.end === undefined ? [] : [{ index, at: ask.end, api: write.api }];
    });
    return [key, { changes, acknowledged }] as const;
  });
  return new Map(keyed);
}

function historyOf(
  histories: ReadonlyMap<string, PropertyHistory>,
  { first }: HomeRecord,
  reading: Reading,
): PropertyHistory {
  const untouched = [{ value: first[reading.property], at: Number.NEGATIVE_INFINITY }];
  return histories.get(propertyKey(reading)) ?? { changes: untouched, acknowledged: [] };
}

/** After everything has come to rest every API shows what the devices have. */
export function judgeFinalValues({ finalValues }: HomeRecord): Violation[] {
  return finalValues
    .filter(({ shown, held }) => shown !== held)
    .map((each) => ({ rule: "shown wrong", text: finalText(each) }));
}

function finalText({ device, property, shownBy, shown, held }: FinalValue): string {
  return `${device} ${property} is ${JSON.stringify(held)} in the end, and ${shownBy} shows ${JSON.stringify(shown)}`;
}
