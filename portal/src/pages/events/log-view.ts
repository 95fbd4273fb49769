/**
 * What of the event log is in the page: runs of sequences that were looked at in full, with the events of them that match. What lies
 * between two runs, or above the last one, is missing and is said to be. Pure: the page hands in what it was answered and what happens.
 */
import type { EventLogPage, PorchlightEvent } from "@porchlight/sdk";

export interface Run {
  /** Every matching event from `first` to `last` is here; `last` is `first` - 1 when nothing was looked at yet. */
  readonly first: number;
  readonly last: number;
  /** The oldest first. */
  readonly events: readonly PorchlightEvent[];
}

export interface LogView {
  /** Apart from each other, the oldest first. */
  readonly runs: readonly Run[];
  /** Oldest sequence that the service keeps, as it was last told. */
  readonly oldest: number;
  /** Newest sequence that is known of. */
  readonly newest: number;
  /** Whether what happens is shown at once. */
  readonly isFollowing: boolean;
  /** Sequences of matching events that have come and are not shown. */
  readonly waiting: readonly number[];
}

/** Events that are held at once. */
export const MOST = 2000;

/** Sequences that are not known of here count up to so many. */
const MOST_WAITING = 10_000;

export const EMPTY_VIEW: LogView = { runs: [], oldest: 1, newest: 0, isFollowing: true, waiting: [] };

/** What the filters let through. */
export type IsShown = (event: PorchlightEvent) => boolean;

export type LogInput =
  /** Nothing is known: another place or other filters are asked for. */
  | { readonly kind: "begin"; readonly isFollowing: boolean }
  /** @see grows where there are too many events, those at the other end go */
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

/** The last sequence of the newest run; undefined: nothing is loaded. */
export function loadedTo({ runs }: LogView): number | undefined {
  return runs.at(-1)?.last;
}

/** Whether events are missing that a page which follows must show. */
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
    // What is paged back so far that the newest went does not follow any more.
    isFollowing: view.isFollowing && bounded.at(-1)?.last === runs.at(-1)?.last,
    waiting: view.waiting.filter((sequence) => !isIn(bounded, sequence)),
  };
}

function heard(view: LogView, event: PorchlightEvent, isShown: IsShown): LogView {
  const { sequence } = event;
  const run = view.runs.find(({ first, last }) => sequence >= first && sequence <= last);
  if (run) {
    // Another event under a number that is known: the service was restored to a time before it.
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

/** With one run more; runs that touch each other become one. */
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

// What of the log is drawn, the newest first: events, and a row for everything that is not here. Pure.

/** Sequences that are not here, both ends included. */
export interface Absence {
  readonly first: number;
  readonly last: number;
}

export type Row =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** They can be loaded. @see at above everything, between two runs, or below everything */
  | ({ readonly kind: "missing"; readonly at: "newest" | "between" | "oldest" } & Absence)
  /** The service keeps them no more. */
  | ({ readonly kind: "deleted" } & Absence)
  /** The log has nothing before. */
  | { readonly kind: "beginning" };

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

/** What is missing from one sequence to another: what can be loaded above what is no longer kept. */
function absent(first: number, last: number, oldest: number, at: "newest" | "between" | "oldest"): Row[] {
  const rows: Row[] = [];
  if (last >= Math.max(first, oldest)) rows.push({ kind: "missing", at, first: Math.max(first, oldest), last });
  if (first <= Math.min(last, oldest - 1)) rows.push({ kind: "deleted", first, last: Math.min(last, oldest - 1) });
  return rows;
}
