/**
 * Waits until triggers of time and sun are due, and says so: a plan over `next-due.ts`, which looks at the clock at least every half
 * minute because a clock can be set while it waits.
 *
 * Invariants: what is not told within a minute is never told; nothing is told for a time at which the hub did not run, or did not know
 * the time; a clock that is set back brings no occurrence of a trigger a second time, unless it was wrong by more than a day.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { type Due, type HomeSituation, nextDue, type TimedTrigger } from "./next-due.ts";

export interface TimedTriggersDeps {
  /** The hub's best knowledge of the time. */
  readonly clock: Clock;
  /** Whether that is the time, and no guess of a machine that has just been switched on. */
  readonly isClockSet: () => boolean;
  /** A trigger is due. @param occurrence names this time of it */
  readonly due: (owner: string, trigger: TimedTrigger, occurrence: string) => void;
}

/** A trigger, and what it belongs to: the ID of a scene. */
export interface OwnedTrigger {
  readonly owner: string;
  readonly trigger: TimedTrigger;
}

interface Planned extends OwnedTrigger {
  /** The same for the same trigger of the same owner. */
  readonly key: string;
  next: Due | undefined;
}

/** What is this late is not told any more, ms: a lamp that goes on in the middle of the night because a hub came back helps nobody. */
const LATE_MS = 60_000;
/** Longest until the clock is looked at again, ms. */
const LOOK_MS = 30_000;

export class TimedTriggers implements Disposable {
  readonly #deps: TimedTriggersDeps;
  #home: HomeSituation = {};
  #planned: readonly Planned[] = [];
  /** The occurrence that was told last, by the trigger's key. */
  #told: ReadonlyMap<string, string> = new Map();
  /** Undefined while the time is not known: then the plan begins anew. */
  #lookedAt: number | undefined;
  #timer: Timer | undefined;
  #ended = false;

  constructor(deps: TimedTriggersDeps) {
    this.#deps = deps;
  }

  /** Takes other triggers, from now on. What stays of them keeps its plan, as long as `home` is the same object. */
  set(triggers: readonly OwnedTrigger[], home: HomeSituation): void {
    // What is due by now was due before anything changed.
    this.#look();
    if (this.#ended) return;
    const before = home === this.#home ? this.#planned : [];
    const planned = new Map(before.map(({ key, next }) => [key, next]));
    this.#home = home;
    this.#planned = triggers.map((owned) => {
      const key = keyOf(owned);
      return { ...owned, key, next: planned.get(key) };
    });
    const kept = this.#planned.flatMap(({ key }): [string, string][] => {
      const told = this.#told.get(key);
      return told === undefined ? [] : [[key, told]];
    });
    this.#told = new Map(kept);
    this.#look();
  }

  /** When the next trigger is due, ms since 1970; undefined when none is, or the time is not known. */
  get next(): number | undefined {
    const times = this.#planned.flatMap(({ next }) => (next ? [next.at] : []));
    return this.#lookedAt === undefined || times.length === 0 ? undefined : Math.min(...times);
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    this.#timer?.cancel();
  }

  #look(): void {
    this.#timer?.cancel();
    if (this.#ended || this.#planned.length === 0) return;
    const { clock, isClockSet } = this.#deps;
    const now = clock.now();
    if (isClockSet()) this.#goOn(now);
    else this.#lookedAt = undefined;
    const wait = Math.min(LOOK_MS, (this.next ?? Number.POSITIVE_INFINITY) - now);
    this.#timer = clock.timer("triggers of time and sun", Math.max(1, wait), () => this.#look());
  }

  #goOn(now: number): void {
    // A clock that was set back has its times once more; those that were told are known by their names.
    if (this.#lookedAt === undefined || now < this.#lookedAt) this.#plan(now);
    this.#lookedAt = now;
    for (const each of this.#dueBy(now)) {
      const { owner, trigger, key, next } = each;
      if (!next) continue;
      // Past a clock that was put forward by years there is nothing that could still be told.
      each.next = nextDue(trigger, this.#home, Math.max(next.at, now - LATE_MS));
      this.#tell(owner, trigger, key, next, now);
    }
    for (const each of this.#planned) each.next ??= nextDue(each.trigger, this.#home, now);
  }

  #plan(now: number): void {
    for (const each of this.#planned) each.next = nextDue(each.trigger, this.#home, now);
  }

  /** In the order of their times; one that is due again by now comes again. */
  *#dueBy(now: number): Iterable<Planned> {
    for (;;) {
      const due = this.#planned.filter(({ next }) => next && next.at <= now);
      const [first] = due.sort((a, b) => (a.next?.at ?? 0) - (b.next?.at ?? 0));
      if (!first) return;
      yield first;
    }
  }

  #tell(owner: string, trigger: TimedTrigger, key: string, { at, occurrence }: Due, now: number): void {
    if (now - at > LATE_MS || this.#told.get(key) === occurrence) return;
    this.#told = new Map(this.#told).set(key, occurrence);
    this.#deps.due(owner, trigger, occurrence);
  }
}

function keyOf({ owner, trigger }: OwnedTrigger): string {
  return JSON.stringify([owner, trigger]);
}
