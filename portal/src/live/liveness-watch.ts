/** Follows what is heard of the stream, and says when the page is live and when it no longer is: `livenessAt` over time. */
import { type Liveness, livenessAt } from "./liveness.ts";
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
