/**
 * Waits until triggers of time and sun are due, and reports them: a plan over `next-due.ts`, which checks the clock at least every half
 * minute because a clock can be set in the meantime.
 *
 * Invariants: a trigger that is not reported within a minute is dropped; times at which the hub did not run, or did not know the time, are
 * dropped; a clock that is set back repeats no occurrence of a trigger, unless it was wrong by more than a day.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { type Due, type HomeSituation, nextDue, type TimedTrigger } from "./next-due.ts";

export interface TimedTriggersDeps {
  /** The hub's best estimate of the time. */
  readonly clock: Clock;
  /** Whether the clock is set, and not the guess of a machine that was just switched on. */
  readonly isClockSet: () => boolean;
  /** A trigger is due. @param occurrence permanent name of this time of the trigger */
  readonly due: (owner: string, trigger: TimedTrigger, occurrence: string) => void;
}

/** A trigger and its owner: the ID of a scene. */
export interface OwnedTrigger {
  readonly owner: string;
  readonly trigger: TimedTrigger;
}

interface Planned extends OwnedTrigger {
  /** Equal for equal triggers of one owner. */
  readonly key: string;
  next: Due | undefined;
}

/** A trigger that is later than this is dropped, ms: a returning hub must not switch on a lamp in the middle of the night. */
const LATE_MS = 60_000;
/** Longest interval between two checks of the clock, ms. */
const LOOK_MS = 30_000;

export class TimedTriggers implements Disposable {
  readonly #deps: TimedTriggersDeps;
  #home: HomeSituation = {};
  #planned: readonly Planned[] = [];
  /** The last reported occurrence, by the trigger's key. */
  #fired: ReadonlyMap<string, string> = new Map();
  /** Undefined while the time is unknown: then the plan begins again. */
  #lookedAt: number | undefined;
  #timer: Timer | undefined;
  #ended = false;

  constructor(deps: TimedTriggersDeps) {
    this.#deps = deps;
  }

  /** Replaces the triggers from now on. Unchanged triggers keep their plan, as long as `home` is the same object. */
  set(triggers: readonly OwnedTrigger[], home: HomeSituation): void {
    // Triggers that are due by now were due before the change.
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
      const occurrence = this.#fired.get(key);
      return occurrence === undefined ? [] : [[key, occurrence]];
    });
    this.#fired = new Map(kept);
    this.#look();
  }

  /** When the next trigger is due, ms since 1970; undefined when none is, or the time is unknown. */
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
    // A clock that was set back passes its times again; reported occurrences are recognized by their names.
    if (this.#lookedAt === undefined || now < this.#lookedAt) this.#plan(now);
    this.#lookedAt = now;
    for (const each of this.#dueBy(now)) {
      const { owner, trigger, key, next } = each;
      if (!next) continue;
      // Skips times that are too late at once: a clock may have been set forward by years.
      each.next = nextDue(trigger, this.#home, Math.max(next.at, now - LATE_MS));
      this.#tell(owner, trigger, key, next, now);
    }
    for (const each of this.#planned) each.next ??= nextDue(each.trigger, this.#home, now);
  }

  #plan(now: number): void {
    for (const each of this.#planned) each.next = nextDue(each.trigger, this.#home, now);
  }

  /** The due triggers in the order of their times; a trigger that is due again by now is repeated. */
  *#dueBy(now: number): Iterable<Planned> {
    for (;;) {
      const due = this.#planned.filter(({ next }) => next && next.at <= now);
      const [first] = due.sort((a, b) => (a.next?.at ?? 0) - (b.next?.at ?? 0));
      if (!first) return;
      yield first;
    }
  }

  #tell(owner: string, trigger: TimedTrigger, key: string, { at, occurrence }: Due, now: number): void {
    if (now - at > LATE_MS || this.#fired.get(key) === occurrence) return;
    this.#fired = new Map(this.#fired).set(key, occurrence);
    this.#deps.due(owner, trigger, occurrence);
  }
}

function keyOf({ owner, trigger }: OwnedTrigger): string {
  return JSON.stringify([owner, trigger]);
}
