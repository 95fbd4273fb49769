/**
 * What a node has to tell and how it takes its turns: one REPORT or CHANGED unanswered, the rest waiting in order.
 * A decision without I/O. DP5, "Reports". Instants are monotonic ms.
 */
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import { MIN_KEPT_EVENTS, type Places, TIMES } from "@porchlight/shared/wire";

/** A value of the device at a place. */
export interface OutgoingReport {
  readonly kind: "report";
  readonly place: number;
  readonly address: PropertyAddress;
  readonly value: Value;
  /** Of a property that can only notify: every one counts, none replaces another. */
  readonly event: boolean;
}

export interface Changed {
  readonly kind: "changed";
  readonly devices: Places;
}

interface Entry {
  readonly item: OutgoingReport | Changed;
  /** Set once it has been sent; only the first entry can have one. */
  readonly sent: { readonly seq: number; readonly againAt: number } | undefined;
}

export interface Reports {
  readonly queue: readonly Entry[];
  /** When each property was last sent anew. */
  readonly lastAt: ReadonlyMap<string, number>;
}

export const NO_REPORTS: Reports = { queue: [], lastAt: new Map() };

/** Takes in what must be told. */
export function offer(reports: Reports, item: OutgoingReport | Changed): Reports {
  if (item.kind === "changed") return push(reports, item);
  if (item.event) return push(withoutOldestEvent(reports), item);
  const known = reports.queue.findIndex((entry) => isSame(entry.item, item));
  return known < 0 ? push(reports, item) : { ...reports, queue: replaced(reports.queue, known, item.value) };
}

/** A WRITE of this property was applied: what waited of it now says the value applied. */
export function written(reports: Reports, place: number, address: PropertyAddress, value: Value): Reports {
  const known = reports.queue.findIndex((entry) => isSame(entry.item, { place, address }));
  return known < 0 ? reports : { ...reports, queue: replaced(reports.queue, known, value) };
}

/** What must be sent next and when; `seq` is set for a repetition. Undefined when there is nothing to tell. */
export function nextReport(
  reports: Reports,
): { readonly item: OutgoingReport | Changed; readonly at: number; readonly seq: number | undefined } | undefined {
  const first = reports.queue[0];
  if (!first) return undefined;
  if (first.sent) return { item: first.item, at: first.sent.againAt, seq: first.sent.seq };
  const lastAt = first.item.kind === "report" ? reports.lastAt.get(key(first.item)) : undefined;
  return { item: first.item, at: lastAt === undefined ? 0 : lastAt + TIMES.reportSpacing, seq: undefined };
}

/** The first of the queue has been sent under this seq. */
export function sent(reports: Reports, seq: number, now: number): Reports {
  const [first, ...rest] = reports.queue;
  if (!first) return reports;
  const queue = [{ item: first.item, sent: { seq, againAt: now + TIMES.reportAgain } }, ...rest];
  if (first.sent || first.item.kind === "changed") return { ...reports, queue };
  return { queue, lastAt: new Map(reports.lastAt).set(key(first.item), now) };
}

/** An ACK, or an ERROR that settles; of another seq than the one unanswered it changes nothing. */
export function settled(reports: Reports, seq: number): Reports {
  return reports.queue[0]?.sent?.seq === seq ? { ...reports, queue: reports.queue.slice(1) } : reports;
}

/** ERROR 9: again in 500 ms under the same seq. */
export function putOff(reports: Reports, seq: number, now: number): Reports {
  const [first, ...rest] = reports.queue;
  if (first?.sent?.seq !== seq) return reports;
  return { ...reports, queue: [{ ...first, sent: { seq, againAt: now + TIMES.reportAgain } }, ...rest] };
}

/** The device at that place has left: what it had to tell is dropped. */
export function departed(reports: Reports, place: number): Reports {
  return { ...reports, queue: reports.queue.filter(({ item }) => item.kind === "changed" || item.place !== place) };
}

/** A hub has been found: what was unanswered is repeated at once. */
export function resumed(reports: Reports, now: number): Reports {
  const queue = reports.queue.map((entry) =>
    entry.sent ? { ...entry, sent: { ...entry.sent, againAt: now } } : entry,
  );
  return { ...reports, queue };
}

function push(reports: Reports, item: OutgoingReport | Changed): Reports {
  return { ...reports, queue: [...reports.queue, { item, sent: undefined }] };
}

/** A value replaced after it was sent is another report: it gets a new seq, and the old one's ACK means nothing. */
function replaced(queue: Reports["queue"], at: number, value: Value): Reports["queue"] {
  return queue.map((entry, index) =>
    index !== at || entry.item.kind === "changed" || valuesEqual(entry.item.value, value)
      ? entry
      : { item: { ...entry.item, value }, sent: undefined },
  );
}

/** Room for one more event: the oldest that has not been sent gives way. */
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
