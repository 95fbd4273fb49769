/**
 * The only reader of an ecosystem's log on this node: it feeds every stream that has caught up.
 *
 * Invariants: events reach a stream in the order of the log, each once; a stream joins only if it has sent everything
 * up to the feed's position, so that no event is lost in between.
 */
import { type Log, Rounds } from "@porchlight/shared/kernel";
import { EventFrame } from "@porchlight/shared/rest";
import type { EventNotifier, LoggedEvent, LogReader } from "../events/index.ts";

/** A receiver of the feed. */
export interface Fed {
  /** The next event, after all those before it. */
  tell(frame: EventFrame<LoggedEvent>): void;
  /** Events up to this sequence are no longer stored, and were not sent. */
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

  /** Whether it feeds no stream. */
  get idle(): boolean {
    return this.#fed.size === 0;
  }

  /** Returns true when the stream joined; false when it must catch up with the feed first. @param after sequence of its last event */
  join(fed: Fed, after: number): boolean {
    if (after < this.#position) return false;
    this.#fed.set(fed, after);
    return true;
  }

  leave(fed: Fed): void {
    this.#fed.delete(fed);
  }

  /** Reads new events, if there are any. */
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
