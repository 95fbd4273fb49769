/**
 * Delivers all sinks: on one node at a time, each on its own, so that no sink waits for the receiver of another, and
 * with lower priority than the work of hubs and users.
 */
import { type Clock, every, type Log, type Random, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Keyring } from "../access/index.ts";
import { LogReader } from "../events/index.ts";
import type { Store } from "../store/index.ts";
import { deliver } from "./deliver.ts";
import type { Posts } from "./post-lines.ts";
import { enabledSinks } from "./service-queries.ts";

export interface SinkDispatcherDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly posts: Posts;
  /** Whether this node's lease is valid and this node does the work for all. */
  readonly isChosen: () => boolean;
}

/** Backlog of the sinks, as of the last look at all of them: zeros on a node that does not deliver. */
export interface SinkLag {
  /** Backlog of the slowest sink, in events, among sinks whose receivers accept lines. */
  readonly events: number;
  /** Sinks whose receivers accepted nothing at the last attempt: the operator of the receiver must act. */
  readonly failing: number;
}

const NO_LAG: SinkLag = { events: 0, failing: 0 };

/** Interval of looks at the logs that this process has appended to, and at all sinks, ms. */
const EVERY = 1_000;
const ALL_EVERY = 10_000;
/** Sinks read at once. */
const PAGE = 500;
/** Sinks delivered concurrently. */
const AT_ONCE = 32;

export class SinkDispatcher implements AsyncDisposable {
  readonly #deps: SinkDispatcherDeps;
  readonly #reader: LogReader;
  readonly #timer: Timer;
  readonly #stopListening: () => void;
  readonly #looking = new Rounds(() => this.#look());
  /** Ecosystems with an enabled sink, as of the last look at all of them. */
  readonly #known = new Set<string>();
  /** Ecosystems whose log has grown. */
  readonly #grown = new Set<string>();
  /** Ecosystems waiting for their turn, in order. */
  readonly #due = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  #end = new AbortController();
  #allDue = 0;
  #lag = NO_LAG;

  private constructor(deps: SinkDispatcherDeps) {
    this.#deps = deps;
    this.#reader = new LogReader(deps.store);
    this.#stopListening = deps.store.onEvents((eco) => {
      if (this.#known.has(eco)) this.#grown.add(eco);
    });
    this.#timer = every(deps.clock, "sinks", EVERY, () => void this.#looking.ask());
  }

  static start(deps: SinkDispatcherDeps): SinkDispatcher {
    return new SinkDispatcher(deps);
  }

  get lag(): SinkLag {
    return this.#deps.isChosen() ? this.#lag : NO_LAG;
  }

  /** A sink's settings were changed here: the next round looks at it. */
  changed(eco: string): void {
    this.#known.add(eco);
    this.#grown.add(eco);
  }

  /** Resolves when each sink has reached the end of its log, or waits for a retry. */
  async catchUp(): Promise<void> {
    this.#allDue = 0;
    await this.#looking.ask();
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Aborts requests in flight; the next process sends them again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    this.#stopListening();
    const looking = this.#looking.end();
    this.#breakOff();
    await looking;
    await Promise.all(this.#running.values());
  }

  async #look(): Promise<void> {
    const { clock, log, isChosen } = this.#deps;
    if (!isChosen()) {
      this.#breakOff();
      // Another node may deliver meanwhile, and this one does not see it.
      this.#allDue = 0;
      this.#lag = NO_LAG;
      return;
    }
    for (const eco of this.#grown) this.#due.add(eco);
    this.#grown.clear();
    this.#begin();
    if (clock.monotonic() < this.#allDue) return;
    this.#allDue = clock.monotonic() + ALL_EVERY;
    try {
      await this.#lookAtAll();
    } catch (error) {
      if (!this.#looking.ended) log.warn({ error }, "sinks could not be looked for; it is tried again");
    }
  }

  async #lookAtAll(): Promise<void> {
    const { store, clock } = this.#deps;
    const found = new Set<string>();
    let { events, failing } = NO_LAG;
    for (let after = ""; !this.#looking.ended; ) {
      const some = await enabledSinks(store, after, PAGE);
      for (const { eco, behind, isFailing, retryAt } of some) {
        found.add(eco);
        if (isFailing) failing++;
        else events = Math.max(events, behind);
        if (behind > 0 && retryAt <= clock.now()) this.#due.add(eco);
      }
      this.#begin();
      const last = some.at(-1);
      if (!last) break;
      after = last.eco;
    }
    this.#lag = { events, failing };
    for (const eco of this.#known) if (!found.has(eco)) this.#known.delete(eco);
    for (const eco of found) this.#known.add(eco);
  }

  #begin(): void {
    if (this.#looking.ended) return;
    for (const eco of this.#due) {
      if (this.#running.size >= AT_ONCE) return;
      if (this.#running.has(eco)) continue;
      this.#due.delete(eco);
      this.#running.set(eco, this.#run(eco, this.#end.signal));
    }
  }

  async #run(eco: string, signal: AbortSignal): Promise<void> {
    const { log } = this.#deps;
    try {
      const end = await deliver({ ...this.#deps, reader: this.#reader }, eco, signal);
      if (end === "more" && !signal.aborted) this.#due.add(eco);
    } catch (error) {
      if (!signal.aborted) log.warn({ ecosystem: eco, error }, "a sink could not be delivered; it is tried again");
    } finally {
      this.#running.delete(eco);
    }
    if (!signal.aborted) this.#begin();
  }

  #breakOff(): void {
    this.#end.abort(new Error("sinks are not delivered here any more"));
    this.#end = new AbortController();
    this.#due.clear();
  }
}
