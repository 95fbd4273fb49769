/** The past values of properties in this tab's session, as far as events reported them: bounded, with the gaps when no events arrived. */
import type { ConnectionState, PorchlightEvent } from "@porchlight/sdk";
import type { Client } from "@porchlight/shared/api";
import type { Liveness } from "./liveness-watch.ts";
import { keyOf } from "./target.ts";
import type { Known } from "./write-state.ts";

export interface Point {
  /** ms since 1970 by the browser's clock; undefined for a value of unknown age, which is always the first point */
  readonly at: number | undefined;
  readonly value: unknown;
}

/** A time without data; it is still open while `to` is undefined. */
export interface Gap {
  readonly from: number;
  readonly to: number | undefined;
}

/** Maximum number of points per property. */
const MOST_POINTS = 500;
/** Maximum number of properties; the one without changes for the longest time is dropped first. */
const MOST_PROPERTIES = 2000;
const MOST_GAPS = 100;
/** Tolerance in ms: time stamps have whole seconds, so an event that arrives within this time counts as having just happened. */
const LIVE_WITHIN = 2000;

export class History {
  readonly #now: () => number;
  readonly #points = new Map<string, readonly Point[]>();
  /** Gaps of the stream by "", of a device or hub by its ID. */
  readonly #gaps = new Map<string, readonly Gap[]>();
  readonly #listeners = new Set<() => void>();
  /** Upper bound of the browser clock's lead over the service's clock, in ms: the minimum of all observations. */
  #ahead = Number.POSITIVE_INFINITY;
  /** Begin of the last gap before the stream reconnected. */
  #reopenable: number | undefined;
  #version = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Increases with each change. */
  readonly version = (): number => this.#version;

  pointsOf(key: string): readonly Point[] {
    return this.#points.get(key) ?? [];
  }

  /** The gaps in a device's data: of the stream, of the device and of its hub. @param ids of device and hub */
  gapsOf(ids: readonly string[]): readonly Gap[] {
    const all = ["", ...ids].flatMap((id) => this.#gaps.get(id) ?? []);
    return merged(all);
  }

  /** Converts the browser's time to the service's time. @param at ms since 1970 */
  serviceTime(at: number): number {
    return at - this.#offset();
  }

  hear(event: PorchlightEvent): void {
    const at = this.#timeOf(event.createdAt);
    switch (event.type) {
      case "property.changed":
        // The observation time of a value that a broker retained is unknown.
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
   * Adds a fetched value: the first point of a history, or a change that happened during a gap. Its time is the observation time, never the
   * time of the fetch.
   */
  seen(key: string, { value, observedAt, modifiedAt }: Known): void {
    const points = this.pointsOf(key);
    const last = points.at(-1);
    if (value === undefined) return;
    const known = observedAt ?? modifiedAt;
    const at = known === undefined ? undefined : Math.min(this.#now(), msOf(known) + this.#offset());
    if (last && JSON.stringify(last.value) === JSON.stringify(value)) {
      if (last.at !== undefined || at === undefined) return;
      // The age of the last point was unknown and is now known.
      this.#points.set(key, points.with(-1, { at, value }));
    } else this.#add(key, { at, value });
    this.#tell();
  }

  connection({ state }: ConnectionState): void {
    if (state === "lost") this.#open("", this.#now());
    // The stream now delivers the events of the gap; `missed` restores the gap if the service no longer has them.
    else this.#reopenable = this.#withdraw("");
    this.#tell();
  }

  /** Opens a gap while the connection stands but no events arrive, and closes it when they resume. */
  follow(liveness: Liveness): void {
    if (liveness.kind === "lost") this.#open("", liveness.since);
    else {
      const from = this.#withdraw("");
      if (from === undefined) return;
      this.#reopenable = from;
    }
    this.#tell();
  }

  /** The stream continues without the events of the interruption. */
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
    // A point without a time comes after the last known point.
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

  /** Removes an open gap. @returns its begin */
  #withdraw(id: string): number | undefined {
    const gaps = this.#gaps.get(id) ?? [];
    const last = gaps.at(-1);
    if (!last || last.to !== undefined) return undefined;
    this.#gaps.set(id, gaps.slice(0, -1));
    return last.from;
  }

  /**
   * Converts the service's time to the browser's clock: exact to the millisecond for events that arrive at once, to the second for late
   * ones.
   */
  #timeOf(createdAt: string): number {
    const created = msOf(createdAt);
    const now = this.#now();
    this.#ahead = Math.min(this.#ahead, now - created);
    const at = created + this.#ahead;
    return now - at < LIVE_WITHIN ? now : at;
  }

  /** Difference between the clocks in ms; 0 while they agree, so that displayed times match the service's. */
  #offset(): number {
    return Number.isFinite(this.#ahead) && Math.abs(this.#ahead) > LIVE_WITHIN ? this.#ahead : 0;
  }

  #tell(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

/** How long the hub had been silent when the service reported it offline, in ms. */
function silenceBefore(createdAt: string, { lastSeenAt }: Client["connection"]): number {
  return lastSeenAt === undefined ? 0 : Math.max(0, msOf(createdAt) - msOf(lastSeenAt));
}

/** Parses the service's time to ms since 1970. */
function msOf(text: string): number {
  return Date.parse(text.replace(" ", "T"));
}

/** Merges gaps that touch or overlap, in order. */
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
