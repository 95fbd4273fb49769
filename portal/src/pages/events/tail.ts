/**
 * The tail of events that is shown: newest first, at most a thousand, with marks where some are missing. While it is paused, what comes
 * waits, to the same bound, and is counted. Pure: the page hands in what happens.
 */
import type { PorchlightEvent } from "@porchlight/sdk";

export type TailEntry =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** Between the entry before it and the one after it, so many events are not here. */
  | { readonly kind: "gap"; readonly after: number; readonly missing: number };

export interface Tail {
  /** In order of their sequence, the newest last. */
  readonly kept: readonly PorchlightEvent[];
  /** Where some did not come, though sequences have no gaps. */
  readonly gaps: readonly Gap[];
  /** Come while it was paused. */
  readonly waiting: readonly PorchlightEvent[];
  readonly isPaused: boolean;
  /** Come while it was paused, and dropped because there were too many. */
  readonly dropped: number;
  /** Newest sequence that has come, shown or not; undefined: none has. */
  readonly newest: number | undefined;
}

/** Between these two sequences. */
interface Gap {
  readonly after: number;
  readonly before: number;
}

export const MOST = 1000;

export const EMPTY_TAIL: Tail = {
  ...{ kept: [], gaps: [], waiting: [], isPaused: false, dropped: 0 },
  newest: undefined,
};

export type TailInput =
  | { readonly kind: "events"; readonly events: readonly PorchlightEvent[] }
  /** Older ones that were asked for. */
  | { readonly kind: "past"; readonly events: readonly PorchlightEvent[] }
  | { readonly kind: "pause" }
  | { readonly kind: "resume" }
  | { readonly kind: "clear" };

/** What the filters let through. */
export type IsShown = (event: PorchlightEvent) => boolean;

/** @param isShown where there are too many, what is not shown goes first: a rare event outlives a thousand others */
export function nextTail(tail: Tail, input: TailInput, isShown: IsShown): Tail {
  switch (input.kind) {
    case "events": {
      const { gaps, newest } = followed(tail, input.events);
      if (!tail.isPaused) {
        return { ...tail, gaps, newest, kept: bounded(merged(tail.kept, input.events), isShown) };
      }
      const all = merged(tail.waiting, input.events);
      return {
        ...{ ...tail, gaps, newest, waiting: bounded(all, isShown) },
        dropped: tail.dropped + Math.max(0, all.filter(isShown).length - MOST),
      };
    }
    case "past":
      return withPast(tail, input.events, isShown);
    case "pause":
      return { ...tail, isPaused: true };
    case "resume": {
      const kept = bounded(merged(tail.kept, tail.waiting), isShown);
      return { ...tail, kept, waiting: [], isPaused: false, dropped: 0 };
    }
    case "clear":
      return { ...tail, kept: [], gaps: [], waiting: [], dropped: 0 };
  }
}

/** What is shown, newest first. */
export function entriesOf({ kept, gaps }: Pick<Tail, "kept" | "gaps">, isShown: IsShown): TailEntry[] {
  const entries: TailEntry[] = [];
  const open = gaps.flatMap((gap) => missingIn(gap, kept)).toSorted((one, other) => one.after - other.after);
  let at = 0;
  for (const event of kept) {
    for (let gap = open[at]; gap !== undefined && gap.after < event.sequence; gap = open[++at]) entries.push(gap);
    if (isShown(event)) entries.push({ kind: "event", event });
  }
  return entries.reverse();
}

/** What of a gap is still open: some of it may have been asked for since. */
function missingIn({ after, before }: Gap, kept: readonly PorchlightEvent[]): Extract<TailEntry, { kind: "gap" }>[] {
  const inside = kept.flatMap(({ sequence }) => (sequence > after && sequence < before ? [sequence] : []));
  const points = [after, ...inside];
  return points.flatMap((point, at) => {
    const missing = (points[at + 1] ?? before) - point - 1;
    return missing > 0 ? [{ kind: "gap" as const, after: point, missing }] : [];
  });
}

/** Sequences have no gaps: a number that is passed over is an event that has not come. */
function followed(tail: Tail, events: readonly PorchlightEvent[]): Pick<Tail, "gaps" | "newest"> {
  let { newest } = tail;
  const found: Gap[] = [];
  for (const { sequence } of events) {
    if (newest !== undefined && sequence > newest + 1) found.push({ after: newest, before: sequence });
    newest = Math.max(newest ?? 0, sequence);
  }
  return { newest, gaps: found.length > 0 ? [...tail.gaps, ...found] : tail.gaps };
}

/** Between what was asked for and what is there already some may be missing too. */
function withPast(tail: Tail, events: readonly PorchlightEvent[], isShown: IsShown): Tail {
  const [first] = tail.kept;
  const last = events.at(-1);
  const gap =
    first && last && last.sequence < first.sequence - 1 ? [{ after: last.sequence, before: first.sequence }] : [];
  return {
    ...{ ...tail, gaps: [...gap, ...tail.gaps], kept: bounded(merged(tail.kept, events), isShown) },
    newest: tail.newest ?? last?.sequence,
  };
}

/** Each once, in order. Almost always the others are newer than all that is kept. */
function merged(kept: readonly PorchlightEvent[], others: readonly PorchlightEvent[]): readonly PorchlightEvent[] {
  const last = kept.at(-1)?.sequence ?? 0;
  if (others.every(({ sequence }, at) => sequence > (others[at - 1]?.sequence ?? last))) return [...kept, ...others];
  const bySequence = new Map([...kept, ...others].map((event) => [event.sequence, event]));
  return [...bySequence.values()].toSorted((one, other) => one.sequence - other.sequence);
}

function bounded(events: readonly PorchlightEvent[], isShown: IsShown): readonly PorchlightEvent[] {
  let over = events.length - MOST;
  if (over <= 0) return events;
  const left = events.filter((event) => isShown(event) || over-- <= 0);
  return left.length > MOST ? left.slice(-MOST) : left;
}
