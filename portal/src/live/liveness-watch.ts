/** Follows what is heard of the stream, and says when the page is live and when it no longer is: `livenessAt` over time. */
import type { LiveItem } from "./shared-stream.ts";

export interface LivenessWatchDeps {
  readonly now: () => number;
  /** Calls back once; gives how to call it off. */
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

  /** A stream begins: nothing was heard of it yet. */
  begin(): void {
    this.#begunAt = this.#deps.now();
    this.#heardAt = undefined;
    this.#brokenAt = undefined;
    this.#look();
  }

  /** There is no stream any more. */
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
 * Whether what is shown still follows the service, decided by what was heard of its stream: pure. The service says something every five
 * seconds; the page must say within fifteen that nothing comes any more, and since when.
 */

export type Liveness =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** `since`: when something was heard last, ms since 1970 of this computer's clock. */
  | { readonly kind: "lost"; readonly since: number };

/** Times of this computer's clock, ms since 1970. */
export interface LivenessSigns {
  /** When the stream was first asked for; undefined: there is none to hear of. */
  readonly begunAt: number | undefined;
  /** When the stream said something last; undefined: never yet. */
  readonly heardAt: number | undefined;
  /** Since when there is no connection; undefined while there is one, or none was made yet. */
  readonly brokenAt: number | undefined;
}

interface LivenessVerdict {
  readonly liveness: Liveness;
  /** When it must be looked at again, though nothing more is heard. */
  readonly until: number | undefined;
}

/** Two comments of the service may be late before the connection counts as lost, ms. */
export const LONGEST_QUIET = 12_000;
/** A stream is made anew when the log-in's token is: so short a break is not worth a word, ms. */
export const SHORT_BREAK = 2_000;

export function livenessAt({ begunAt, heardAt, brokenAt }: LivenessSigns, now: number): LivenessVerdict {
  // A stream that never begins is quiet from the start: what was fetched beside it is no less old.
  const quietSince = heardAt ?? begunAt;
  if (quietSince === undefined && brokenAt === undefined) return { liveness: { kind: "connecting" }, until: undefined };
  const quietAt = quietSince === undefined ? Number.POSITIVE_INFINITY : quietSince + LONGEST_QUIET;
  const goneAt = brokenAt === undefined ? Number.POSITIVE_INFINITY : brokenAt + SHORT_BREAK;
  const until = Math.min(quietAt, goneAt);
  if (now >= until) return { liveness: { kind: "lost", since: quietSince ?? brokenAt ?? now }, until: undefined };
  return { liveness: heardAt === undefined ? { kind: "connecting" } : { kind: "live" }, until };
}
