/**
 * The loaded part of the event log: completely searched runs of sequence numbers, with their matching events. The page shows the gaps
 * between runs and above the last one as missing. Pure: the page feeds in responses and live events.
 */
import type { EventLogPage, PorchlightEvent } from "@porchlight/sdk";

interface Run {
  /** The run contains every matching event from `first` to `last`; `last` is `first` - 1 while nothing is searched. */
  readonly first: number;
  readonly last: number;
  /** Oldest first. */
  readonly events: readonly PorchlightEvent[];
}

export interface LogView {
  /** Disjoint, oldest first. */
  readonly runs: readonly Run[];
  /** The oldest sequence number that the service keeps, by its latest response. */
  readonly oldest: number;
  /** The newest known sequence number. */
  readonly newest: number;
  /** Whether new events are shown at once. */
  readonly isFollowing: boolean;
  /** Sequence numbers of matching events that have arrived and are not shown. */
  readonly waiting: readonly number[];
}

/** Maximum number of loaded events. */
export const MOST = 2000;

/** Maximum number of sequence numbers in `waiting`. */
const MOST_WAITING = 10_000;

export const EMPTY_VIEW: LogView = { runs: [], oldest: 1, newest: 0, isFollowing: true, waiting: [] };

/** Whether an event passes the filters. */
export type IsShown = (event: PorchlightEvent) => boolean;

export type LogInput =
  /** Clears the view for another position or other filters. */
  | { readonly kind: "begin"; readonly isFollowing: boolean }
  /** @see grows when there are too many events, those at the other end are dropped */
  | { readonly kind: "page"; readonly page: EventLogPage; readonly grows: "older" | "newer" }
  | { readonly kind: "heard"; readonly events: readonly PorchlightEvent[]; readonly isShown: IsShown }
  | { readonly kind: "follow" }
  | { readonly kind: "pause" };

export function nextView(view: LogView, input: LogInput): LogView {
  switch (input.kind) {
    case "begin":
      return { ...EMPTY_VIEW, isFollowing: input.isFollowing };
    case "page":
      return withPage(view, input.page, input.grows);
    case "heard":
      return input.events.reduce((now, event) => heard(now, event, input.isShown), view);
    case "follow":
      return { ...view, isFollowing: true };
    case "pause":
      return { ...view, isFollowing: false };
  }
}

/** The last sequence number of the newest run; undefined while nothing is loaded. */
export function loadedTo({ runs }: LogView): number | undefined {
  return runs.at(-1)?.last;
}

/** Whether a page that follows the log lacks new events. */
export function isBehind(view: LogView): boolean {
  const end = loadedTo(view);
  return view.isFollowing && end !== undefined && view.newest > end;
}

function withPage(view: LogView, { items, range, log }: EventLogPage, grows: "older" | "newer"): LogView {
  const events = [...items].sort((one, other) => one.sequence - other.sequence);
  const runs = joined(view.runs, { ...range, events });
  const bounded = grows === "older" ? withoutNewest(runs) : withoutOldest(runs);
  return {
    runs: bounded,
    oldest: log.oldest,
    newest: Math.max(view.newest, log.newest),
    // Stop following when the user has paged back so far that the newest events were dropped.
    isFollowing: view.isFollowing && bounded.at(-1)?.last === runs.at(-1)?.last,
    waiting: view.waiting.filter((sequence) => !isIn(bounded, sequence)),
  };
}

function heard(view: LogView, event: PorchlightEvent, isShown: IsShown): LogView {
  const { sequence } = event;
  const run = view.runs.find(({ first, last }) => sequence >= first && sequence <= last);
  if (run) {
    // A different event with a known sequence number: the service was restored from an older backup.
    const known = run.events.find((each) => each.sequence === sequence);
    return known && known.id !== event.id ? EMPTY_VIEW : view;
  }
  const newest = Math.max(view.newest, sequence);
  const top = view.runs.at(-1);
  if (view.isFollowing && top && sequence === top.last + 1) {
    const events = isShown(event) ? [...top.events, event] : top.events;
    return { ...view, newest, runs: withoutOldest([...view.runs.slice(0, -1), { ...top, last: sequence, events }]) };
  }
  const isNews = isShown(event) && sequence > view.newest && view.waiting.length < MOST_WAITING;
  return { ...view, newest, waiting: isNews ? [...view.waiting, sequence] : view.waiting };
}

/** Adds a run and merges runs that touch. */
function joined(runs: readonly Run[], run: Run): Run[] {
  const touches = ({ first, last }: Run) => first <= run.last + 1 && run.first <= last + 1;
  const touched = [...runs.filter(touches), run];
  const one = {
    first: Math.min(...touched.map(({ first }) => first)),
    last: Math.max(...touched.map(({ last }) => last)),
    events: [
      ...new Map(touched.flatMap(({ events }) => events.map((event) => [event.sequence, event] as const))).values(),
    ].sort((a, b) => a.sequence - b.sequence),
  };
  return [...runs.filter((each) => !touches(each)), one].sort((a, b) => a.first - b.first);
}

function withoutOldest(runs: readonly Run[]): readonly Run[] {
  const all = runs.flatMap(({ events }) => events);
  const first = all[all.length - MOST]?.sequence;
  if (all.length <= MOST || first === undefined) return runs;
  return runs
    .filter(({ last }) => last >= first)
    .map((run) =>
      run.first >= first ? run : { ...run, first, events: run.events.filter(({ sequence }) => sequence >= first) },
    );
}

function withoutNewest(runs: readonly Run[]): readonly Run[] {
  const all = runs.flatMap(({ events }) => events);
  const last = all[MOST - 1]?.sequence;
  if (all.length <= MOST || last === undefined) return runs;
  return runs
    .filter(({ first }) => first <= last)
    .map((run) =>
      run.last <= last ? run : { ...run, last, events: run.events.filter(({ sequence }) => sequence <= last) },
    );
}

function isIn(runs: readonly Run[], sequence: number): boolean {
  return runs.some(({ first, last }) => sequence >= first && sequence <= last);
}

/** A range of sequence numbers that are not loaded, inclusive at both ends. */
export interface Absence {
  readonly first: number;
  readonly last: number;
}

export type Row =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** The range can be loaded. @see at above everything, between two runs, or below everything */
  | ({ readonly kind: "missing"; readonly at: "newest" | "between" | "oldest" } & Absence)
  /** The service no longer keeps the range. */
  | ({ readonly kind: "deleted" } & Absence)
  /** The log begins here. */
  | { readonly kind: "beginning" };

/** The rows of the log, newest first: events, and a row for each range that is not loaded. Pure. */
export function logRows({ runs, oldest, newest }: LogView): Row[] {
  const rows: Row[] = [];
  let above: number | undefined;
  for (const run of runs.toReversed()) {
    if (above !== undefined) rows.push(...absent(run.last + 1, above - 1, oldest, "between"));
    else rows.push(...absent(run.last + 1, newest, oldest, "newest"));
    for (const event of run.events.toReversed()) rows.push({ kind: "event", event });
    above = run.first;
  }
  if (above === undefined) return rows;
  if (above <= 1) return [...rows, { kind: "beginning" }];
  return [...rows, ...absent(1, above - 1, oldest, "oldest")];
}

/** The rows of a missing range: the loadable part above the deleted part. */
function absent(first: number, last: number, oldest: number, at: "newest" | "between" | "oldest"): Row[] {
  const rows: Row[] = [];
  if (last >= Math.max(first, oldest)) rows.push({ kind: "missing", at, first: Math.max(first, oldest), last });
  if (first <= Math.min(last, oldest - 1)) rows.push({ kind: "deleted", first, last: Math.min(last, oldest - 1) });
  return rows;
}
