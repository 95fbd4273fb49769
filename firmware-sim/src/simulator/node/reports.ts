/**
 * The queue of a node's reports: one REPORT or CHANGED is unanswered, the rest wait in order. A decision without I/O. DP5, "Reports".
 * Times are monotonic ms.
 */
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import { MIN_KEPT_EVENTS, type Places, TIMES } from "@porchlight/shared/wire";

/** A value of the device at a place. */
export interface OutgoingReport {
  readonly kind: "report";
  readonly place: number;
  readonly address: PropertyAddress;
  readonly value: Value;
  /** For a property that can only notify: each event counts, and none replaces another. */
  readonly event: boolean;
}

export interface Changed {
  readonly kind: "changed";
  readonly devices: Places;
}

interface Entry {
  readonly item: OutgoingReport | Changed;
  /** Set once it was sent; only the first entry can have it. */
  readonly sent: { readonly seq: number; readonly againAt: number } | undefined;
}

export interface Reports {
  readonly queue: readonly Entry[];
  /** Time at which a new report of each property was last sent. */
  readonly lastAt: ReadonlyMap<string, number>;
}

export const NO_REPORTS: Reports = { queue: [], lastAt: new Map() };

/** Adds a report or change to the queue. */
export function offer(reports: Reports, item: OutgoingReport | Changed): Reports {
  if (item.kind === "changed") return push(reports, item);
  if (item.event) return push(withoutOldestEvent(reports), item);
  const known = reports.queue.findIndex((entry) => isSame(entry.item, item));
  return known < 0 ? push(reports, item) : { ...reports, queue: replaced(reports.queue, known, item.value) };
}

/** A WRITE of this property was executed: its waiting report now has the new value. */
export function written(reports: Reports, place: number, address: PropertyAddress, value: Value): Reports {
  const known = reports.queue.findIndex((entry) => isSame(entry.item, { place, address }));
  return known < 0 ? reports : { ...reports, queue: replaced(reports.queue, known, value) };
}

/** The next message and its time; `seq` is set for a repetition. Undefined when the queue is empty. */
export function nextReport(
  reports: Reports,
): { readonly item: OutgoingReport | Changed; readonly at: number; readonly seq: number | undefined } | undefined {
  const first = reports.queue[0];
  if (!first) return undefined;
  if (first.sent) return { item: first.item, at: first.sent.againAt, seq: first.sent.seq };
  const lastAt = first.item.kind === "report" ? reports.lastAt.get(key(first.item)) : undefined;
  return { item: first.item, at: lastAt === undefined ? 0 : lastAt + TIMES.reportSpacing, seq: undefined };
}

/** The first entry was sent with this seq. */
export function sent(reports: Reports, seq: number, now: number): Reports {
  const [first, ...rest] = reports.queue;
  if (!first) return reports;
  const queue = [{ item: first.item, sent: { seq, againAt: now + TIMES.reportAgain } }, ...rest];
  if (first.sent || first.item.kind === "changed") return { ...reports, queue };
  return { queue, lastAt: new Map(reports.lastAt).set(key(first.item), now) };
}

/** An ACK, or an ERROR that settles; with a seq other than the unanswered one it has no effect. */
export function settled(reports: Reports, seq: number): Reports {
  return reports.queue[0]?.sent?.seq === seq ? { ...reports, queue: reports.queue.slice(1) } : reports;
}

/** ERROR 9: repeat in 500 ms with the same seq. */
export function putOff(reports: Reports, seq: number, now: number): Reports {
  const [first, ...rest] = reports.queue;
  if (first?.sent?.seq !== seq) return reports;
  return { ...reports, queue: [{ ...first, sent: { seq, againAt: now + TIMES.reportAgain } }, ...rest] };
}

/** The device at that place has left: its entries are dropped. */
export function departed(reports: Reports, place: number): Reports {
  return { ...reports, queue: reports.queue.filter(({ item }) => item.kind === "changed" || item.place !== place) };
}

/** A hub was found: the unanswered entry is repeated at once. */
export function resumed(reports: Reports, now: number): Reports {
  const queue = reports.queue.map((entry) =>
    entry.sent ? { ...entry, sent: { ...entry.sent, againAt: now } } : entry,
  );
  return { ...reports, queue };
}

function push(reports: Reports, item: OutgoingReport | Changed): Reports {
  return { ...reports, queue: [...reports.queue, { item, sent: undefined }] };
}

/** A value that is replaced after it was sent is a new report: it gets a new seq, and an ACK of the old seq has no effect. */
function replaced(queue: Reports["queue"], at: number, value: Value): Reports["queue"] {
  return queue.map((entry, index) =>
    index !== at || entry.item.kind === "changed" || valuesEqual(entry.item.value, value)
      ? entry
      : { item: { ...entry.item, value }, sent: undefined },
  );
}

/** Makes room for an event: drops the oldest one that was not sent. */
function withoutOldestEvent(reports: Reports): Reports {
  const waiting = reports.queue.filter((entry) => entry.item.kind === "report" && entry.item.event && !entry.sent);
  if (waiting.length < MIN_KEPT_EVENTS) return reports;
  return { ...reports, queue: reports.queue.filter((entry) => entry !== waiting[0]) };
}

function isSame(
  item: OutgoingReport | Changed,
  { place, address }: Pick<OutgoingReport, "place" | "address">,
): boolean {
  return (
    item.kind === "report" && !item.event && item.place === place && addressKey(item.address) === addressKey(address)
  );
}

function key({ place, address }: OutgoingReport): string {
  return `${place} ${addressKey(address)}`;
}
