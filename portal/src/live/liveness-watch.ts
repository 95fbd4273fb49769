/** Tracks the stream's signs of life and notifies listeners when the page becomes live or lost: `livenessAt` over time. */
import type { LiveItem } from "./shared-stream.ts";

interface LivenessWatchDeps {
  readonly now: () => number;
  /** Calls `job` once. @returns cancels the timer */
  readonly timer: (ms: number, job: () => void) => () => void;
}

export class LivenessWatch {
  readonly #deps: LivenessWatchDeps;
  readonly #listeners = new Set<() => void>();
  #begunAt: number | undefined;
  #heardAt: number | undefined;
  #brokenAt: number | undefined;
  #liveness: Liveness = { kind: "connecting" };
  #cancel: (() => void) | undefined;

  constructor(deps: LivenessWatchDeps) {
    this.#deps = deps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): Liveness => this.#liveness;

  take(item: LiveItem): void {
    const now = this.#deps.now();
    if (item.kind === "connection" && item.connection.state === "lost") this.#brokenAt ??= now;
    else {
      this.#heardAt = now;
      this.#brokenAt = undefined;
    }
    this.#look();
  }

  /** A stream starts; no data has arrived yet. */
  begin(): void {
    this.#begunAt = this.#deps.now();
    this.#heardAt = undefined;
    this.#brokenAt = undefined;
    this.#look();
  }

  /** The stream is closed. */
  end(): void {
    this.#begunAt = undefined;
    this.#heardAt = undefined;
    this.#brokenAt = undefined;
    this.#look();
  }

  #look(): void {
    this.#cancel?.();
    const now = this.#deps.now();
    const { liveness, until } = livenessAt(
      { begunAt: this.#begunAt, heardAt: this.#heardAt, brokenAt: this.#brokenAt },
      now,
    );
    this.#cancel = until === undefined ? undefined : this.#deps.timer(until - now, () => this.#look());
    if (isSameLiveness(this.#liveness, liveness)) return;
    this.#liveness = liveness;
    for (const listener of this.#listeners) listener();
  }
}

function isSameLiveness(one: Liveness, other: Liveness): boolean {
  if (one.kind === "lost" && other.kind === "lost") return one.since === other.since;
  return one.kind === other.kind;
}

/**
 * Decides from the stream's signs of life whether the page follows the service. The service sends at least a comment every five seconds;
 * the page must report a loss, and since when, within fifteen seconds. Pure.
 */

export type Liveness =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** `since`: time of the last received data, in ms since 1970 by the browser's clock. */
  | { readonly kind: "lost"; readonly since: number };

/** Times by the browser's clock, in ms since 1970. */
export interface LivenessSigns {
  /** When the stream was first requested; undefined: there is no stream. */
  readonly begunAt: number | undefined;
  /** When the stream last delivered data; undefined: never. */
  readonly heardAt: number | undefined;
  /** Since when the connection is broken; undefined while it stands, or before the first one. */
  readonly brokenAt: number | undefined;
}

interface LivenessVerdict {
  readonly liveness: Liveness;
  /** When to evaluate again if no further sign arrives. */
  readonly until: number | undefined;
}

/** Maximum silence in ms before the connection counts as lost: two missing comments of the service. */
export const LONGEST_QUIET = 12_000;
/** Maximum unreported interruption in ms: the stream reconnects whenever the log-in's token is renewed. */
export const SHORT_BREAK = 2_000;

export function livenessAt({ begunAt, heardAt, brokenAt }: LivenessSigns, now: number): LivenessVerdict {
  // A stream that never starts counts as silent from its request: the data that was fetched meanwhile ages as well.
  const quietSince = heardAt ?? begunAt;
  if (quietSince === undefined && brokenAt === undefined) return { liveness: { kind: "connecting" }, until: undefined };
  const quietAt = quietSince === undefined ? Number.POSITIVE_INFINITY : quietSince + LONGEST_QUIET;
  const goneAt = brokenAt === undefined ? Number.POSITIVE_INFINITY : brokenAt + SHORT_BREAK;
  const until = Math.min(quietAt, goneAt);
  if (now >= until) return { liveness: { kind: "lost", since: quietSince ?? brokenAt ?? now }, until: undefined };
  return { liveness: heardAt === undefined ? { kind: "connecting" } : { kind: "live" }, until };
}
