/** The parts of an operation's time: measured at both ends of the tunnel, and written as `server-timing`. */
import type { Clock } from "./clock.ts";

/** Splits the time of one operation into named parts. Both ends of the tunnel measure with it, so it depends on neither. */
export class TimingBreakdown {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #ms: Record<string, number> = {};
  #since: number;

  /** Starts the first part. */
  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Adds the time since the last step to the part `name`; parts of one name are summed. */
  step(name: string): void {
    const now = this.#clock.monotonic();
    this.add(name, now - this.#since);
    this.#since = now;
  }

  /** Adds a time that another component measured. @param ms its duration */
  add(name: string, ms: number): void {
    this.#ms[name] = (this.#ms[name] ?? 0) + ms;
  }

  /** Milliseconds by name, in the order in which the names were first used. */
  get ms(): Readonly<Record<string, number>> {
    return { ...this.#ms };
  }
}

/** @param ms by the name of each part, in order */
export function serverTiming(ms: Readonly<Record<string, number>>): string {
  return Object.entries(ms)
    .map(([name, duration]) => `${name};dur=${Math.round(duration * 1000) / 1000}`)
    .join(", ");
}

/** Milliseconds by name; entries that cannot be parsed are left out. */
export function readServerTiming(header: string | null): Readonly<Record<string, number>> {
  const parts = [...(header ?? "").matchAll(/(?<![\w-])([\w-]+);dur=(\d+(?:\.\d+)?)/g)];
  return Object.fromEntries(parts.map(([, name = "", duration]) => [name, Number(duration)]));
}
