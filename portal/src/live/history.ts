/** What properties were in this tab's session, as far as it was told: bounded, and with the times in which nothing was told. */
import type { ConnectionState, PorchlightEvent } from "@porchlight/sdk";
import type { Client } from "@porchlight/shared/api";
import type { Liveness } from "./liveness-watch.ts";
import { keyOf } from "./target.ts";
import type { Known } from "./write-state.ts";

export interface Point {
  /** ms since 1970, of this computer's clock; undefined of a value of unknown age, which only ever comes first */
  readonly at: number | undefined;
  readonly value: unknown;
}

/** A time of which nothing is known; it lasts while `to` is undefined. */
export interface Gap {
  readonly from: number;
  readonly to: number | undefined;
}

/** Points of one property that are kept. */
const MOST_POINTS = 500;
/** Properties that are kept: the one that has been silent longest goes first. */
const MOST_PROPERTIES = 2000;
const MOST_GAPS = 100;
/** The service tells times in whole seconds: what comes within that and a little is as old as its way, ms. */
const LIVE_WITHIN = 2000;

export class History {
  readonly #now: () => number;
  readonly #points = new Map<string, readonly Point[]>();
  /** Of the stream under "", of a device or hub under its ID. */
  readonly #gaps = new Map<string, readonly Gap[]>();
  readonly #listeners = new Set<() => void>();
  /** By how much this computer's clock is ahead of the service's, at most, ms: as small as it was ever seen. */
  #ahead = Number.POSITIVE_INFINITY;
  /** Since when nothing was told before the stream came back. */
  #reopenable: number | undefined;
  #version = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Grows with each change. */
  readonly version = (): number => this.#version;

  pointsOf(key: string): readonly Point[] {
    return this.#points.get(key) ?? [];
  }

  /** When nothing was told of a device: by the stream, by itself, or by its hub. @param ids of device and hub */
  gapsOf(ids: readonly string[]): readonly Gap[] {
    const all = ["", ...ids].flatMap((id) => this.#gaps.get(id) ?? []);
    return merged(all);
  }

  /** A time of this computer's clock as the service's. @param at ms since 1970 */
  serviceTime(at: number): number {
    return at - this.#offset();
  }

  hear(event: PorchlightEvent): void {
    const at = this.#timeOf(event.createdAt);
    switch (event.type) {
      case "property.changed":
        // Of what a broker has kept nobody knows when it was said.
        this.#add(keyOf(event.data.item), {
          at: event.data.item.source ? undefined : at,
          value: event.data.item.value,
        });
        break;
      case "device.offline":
        this.#open(event.data.id, at);
        break;
      case "hub.offline":
        this.#open(event.data.id, at - silenceBefore(event.createdAt, event.data.connection));
        break;
      case "device.online":
      case "hub.online":
        this.#close(event.data.id, at);
        break;
      default:
        return;
    }
    this.#tell();
  }

  /**
   * A value that was fetched: the beginning of a history, or what it came to while nothing was told. It stands at the time at which the
   * device said it, never at that of fetching.
   */
  seen(key: string, { value, observedAt, modifiedAt }: Known): void {
    const points = this.pointsOf(key);
    const last = points.at(-1);
    if (value === undefined) return;
    const said = observedAt ?? modifiedAt;
    const at = said === undefined ? undefined : Math.min(this.#now(), msOf(said) + this.#offset());
    if (last && JSON.stringify(last.value) === JSON.stringify(value)) {
      if (last.at !== undefined || at === undefined) return;
      // Its age was not known, and now it is.
      this.#points.set(key, points.with(-1, { at, value }));
    } else this.#add(key, { at, value });
    this.#tell();
  }

  connection({ state }: ConnectionState): void {
    if (state === "lost") this.#open("", this.#now());
    // What happened meanwhile is told now; where it is no longer kept, `missed` says so.
    else this.#reopenable = this.#withdraw("");
    this.#tell();
  }

  /** Nothing was told since then, though the connection stands; or something is told again. */
  follow(liveness: Liveness): void {
    if (liveness.kind === "lost") this.#open("", liveness.since);
    else {
      const from = this.#withdraw("");
      if (from === undefined) return;
      this.#reopenable = from;
    }
    this.#tell();
  }

  /** The stream goes on without what happened since it was lost. */
  missed(): void {
    const from = this.#reopenable;
    if (from === undefined) return;
    this.#reopenable = undefined;
    this.#gaps.set("", [...(this.#gaps.get("") ?? []), { from, to: this.#now() }].slice(-MOST_GAPS));
    this.#tell();
  }

  #add(key: string, point: Point): void {
    const before = this.#points.get(key) ?? [];
    this.#points.delete(key);
    const last = before.at(-1);
    // What has no time of its own came after what was told last.
    const at = last?.at === undefined ? point.at : Math.max(point.at ?? 0, last.at);
    this.#points.set(key, [...(at === undefined ? [] : before), { ...point, at }].slice(-MOST_POINTS));
    const oldest = this.#points.keys().next();
    if (this.#points.size > MOST_PROPERTIES && !oldest.done) this.#points.delete(oldest.value);
  }

  #open(id: string, at: number): void {
    const gaps = this.#gaps.get(id) ?? [];
    if (gaps.at(-1)?.to === undefined && gaps.length > 0) return;
    this.#gaps.set(id, [...gaps, { from: at, to: undefined }].slice(-MOST_GAPS));
  }

  #close(id: string, at: number): void {
    const gaps = this.#gaps.get(id) ?? [];
    const last = gaps.at(-1);
    if (last && last.to === undefined) this.#gaps.set(id, gaps.with(-1, { ...last, to: Math.max(at, last.from) }));
  }

  /** Takes an open gap back. @returns when it began */
  #withdraw(id: string): number | undefined {
    const gaps = this.#gaps.get(id) ?? [];
    const last = gaps.at(-1);
    if (!last || last.to !== undefined) return undefined;
    this.#gaps.set(id, gaps.slice(0, -1));
    return last.from;
  }

  /** The service's time on this computer's clock: to the millisecond what comes at once, to the second what comes late. */
  #timeOf(createdAt: string): number {
    const told = msOf(createdAt);
    const now = this.#now();
    this.#ahead = Math.min(this.#ahead, now - told);
    const at = told + this.#ahead;
    return now - at < LIVE_WITHIN ? now : at;
  }

  /** From the service's clock to this computer's, ms; none while they agree, so that a time reads as the service tells it. */
  #offset(): number {
    return Number.isFinite(this.#ahead) && Math.abs(this.#ahead) > LIVE_WITHIN ? this.#ahead : 0;
  }

  #tell(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

/** For how long a hub had been silent when that was told, ms. */
function silenceBefore(createdAt: string, { lastSeenAt }: Client["connection"]): number {
  return lastSeenAt === undefined ? 0 : Math.max(0, msOf(createdAt) - msOf(lastSeenAt));
}

/** The service's time, ms since 1970. */
function msOf(text: string): number {
  return Date.parse(text.replace(" ", "T"));
}

/** Gaps that touch or overlap as one, in order. */
export function merged(gaps: readonly Gap[]): readonly Gap[] {
  const all: Gap[] = [];
  for (const gap of gaps.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (!last || (last.to !== undefined && last.to < gap.from)) all.push(gap);
    else if (last.to !== undefined)
      all[all.length - 1] = { from: last.from, to: gap.to === undefined ? undefined : Math.max(last.to, gap.to) };
  }
  return all;
}
