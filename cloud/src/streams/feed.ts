/**
 * The one reader of an ecosystem's log on this node: it feeds every stream that has caught up.
 *
 * Invariants: events reach a stream in the order of the log, each once; a stream joins only where it has seen all that the feed
 * has passed, so that nothing falls between.
 */
import { type Log, Rounds } from "@porchlight/shared/kernel";
import { EventFrame } from "@porchlight/shared/rest";
import type { EventNotifier, LoggedEvent, LogReader } from "../events/index.ts";

/** Who is fed. */
export interface Fed {
  /** The next event, after all those before it. */
  tell(frame: EventFrame<LoggedEvent>): void;
  /** Events up to this sequence are no longer kept, and have not been told. */
  lost(after: number): void;
}

export interface FeedDeps {
  readonly log: Log;
  readonly reader: LogReader;
  readonly notifier: EventNotifier;
}

export class Feed implements Disposable {
  readonly ecosystemId: string;
  readonly #deps: FeedDeps;
  readonly #fed = new Map<Fed, number>();
  readonly #unsubscribe: () => void;
  readonly #reading = new Rounds(() => this.#read());
  #position: number;

  /** @param position sequence after which it begins */
  constructor(deps: FeedDeps, ecosystemId: string, position: number) {
    this.#deps = deps;
    this.ecosystemId = ecosystemId;
    this.#position = position;
    this.#unsubscribe = deps.notifier.subscribe(ecosystemId, (sequence) => {
      if (sequence > this.#position) this.look();
    });
  }

  /** Whether it has no streams. */
  get idle(): boolean {
    return this.#fed.size === 0;
  }

  /** True when it has joined; false when the feed is past what it has seen, and there is more to catch up with. @param after what it has seen */
  join(fed: Fed, after: number): boolean {
    if (after < this.#position) return false;
    this.#fed.set(fed, after);
    return true;
  }

  leave(fed: Fed): void {
    this.#fed.delete(fed);
  }

  /** Looks whether there is anything new. */
  look(): void {
    void this.#reading.ask();
  }

  async #read(): Promise<void> {
    const { reader, log } = this.#deps;
    try {
      const slice = await reader.read(this.ecosystemId, this.#position);
      if (slice.kind === "lost") {
        this.#position = slice.after;
        for (const [fed, after] of this.#fed) if (after < slice.after) fed.lost(slice.after);
        this.look();
        return;
      }
      for (const event of slice.events) {
        this.#position = event.sequence;
        const frame = new EventFrame(event);
        for (const [fed, after] of this.#fed) if (event.sequence > after) fed.tell(frame);
      }
      if (slice.more) this.look();
    } catch (error) {
      log.warn({ error, ecosystem: this.ecosystemId }, "the event log could not be read; will retry");
    }
  }

  [Symbol.dispose](): void {
    void this.#reading.end();
    this.#unsubscribe();
  }
}
