/**
 * Whether a hub's socket is read: not while its batches wait for the store, and not while it owes of its budget. The network then slows the
 * hub; nothing of it is dropped, and its lease does not run out by our own doing.
 */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import type { MessageSocket } from "@porchlight/shared/tunnel";
import type { HubBudget } from "./hub-budgets.ts";
import type { Lease } from "./lease.ts";

export interface ReadingDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Something was done to the hub, by its name. */
  readonly count: (what: string) => void;
}

/** The connection that is read. */
export interface ReadHub {
  readonly clientId: string;
  readonly socket: Pick<MessageSocket, "pause" | "resume">;
  readonly lease: Pick<Lease, "pause" | "resume">;
  readonly budget: HubBudget;
}

/** Shorter than this it is not worth the calls, ms. */
const SHORTEST_MS = 10;
/** How often it is logged of one connection, ms. */
const LOG_EVERY_MS = 60_000;
const NOTHING = { messages: 0, bytes: 0, records: 0 };

export class HubReading implements Disposable {
  readonly #deps: ReadingDeps;
  readonly #clientId: string;
  readonly #socket: ReadHub["socket"];
  readonly #lease: ReadHub["lease"];
  readonly #budget: HubBudget;
  #isStoreFull = false;
  #isInDebt = false;
  #wait: Timer | undefined;
  /** Monotonic time since which the hub is being slowed. */
  #slowedSince: number | undefined;
  #slowedMs = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(deps: ReadingDeps, hub: ReadHub) {
    this.#deps = deps;
    this.#clientId = hub.clientId;
    this.#socket = hub.socket;
    this.#lease = hub.lease;
    this.#budget = hub.budget;
  }

  /** A message has come. @param bytes characters of its text */
  message(bytes: number): void {
    this.#spend({ messages: 1, bytes, records: 0 });
  }

  /** There were so many records in it. */
  records(records: number): void {
    this.#spend({ messages: 0, bytes: 0, records });
  }

  /** The store has as much of the hub as it may, or has not any more. */
  storeFull(full: boolean): void {
    this.#hold(full, this.#isInDebt);
  }

  /** For how long the hub was slowed since this was last asked, whole ms. */
  takeSlowedMs(): number {
    const now = this.#deps.clock.monotonic();
    this.#countSlowed(now);
    if (this.#slowedSince !== undefined) this.#slowedSince = now;
    const ms = Math.round(this.#slowedMs);
    this.#slowedMs = 0;
    return ms;
  }

  /** The connection is over. */
  [Symbol.dispose](): void {
    this.#ended = true;
    this.#wait?.cancel();
  }

  #spend(spent: typeof NOTHING): void {
    const now = this.#deps.clock.monotonic();
    const owedMs = this.#budget.spend(now, spent);
    if (owedMs < 1 || this.#wait || this.#ended) return;
    this.#slowedSince = now;
    this.#say(now, owedMs);
    this.#hold(this.#isStoreFull, true);
    this.#waitFor(owedMs);
  }

  #waitFor(owedMs: number): void {
    const { clock } = this.#deps;
    this.#wait = clock.timer("budget of a hub", Math.max(SHORTEST_MS, Math.ceil(owedMs)), () => {
      this.#wait = undefined;
      const now = clock.monotonic();
      // What was on its way here when reading stopped, and other hubs of the ecosystem, may have spent it meanwhile.
      const stillMs = this.#budget.spend(now, NOTHING);
      if (stillMs >= 1) {
        this.#waitFor(stillMs);
        return;
      }
      this.#countSlowed(now);
      this.#slowedSince = undefined;
      this.#hold(this.#isStoreFull, false);
    });
  }

  #countSlowed(now: number): void {
    if (this.#slowedSince !== undefined) this.#slowedMs += now - this.#slowedSince;
  }

  #say(now: number, owedMs: number): void {
    const { log, count } = this.#deps;
    count("hub slowed");
    if (now - this.#loggedAt < LOG_EVERY_MS) return;
    this.#loggedAt = now;
    log.warn({ client: this.#clientId, owedMs: Math.round(owedMs) }, "a hub sends more than its budget and is slowed");
  }

  /** It is not read while either is so. */
  #hold(isStoreFull: boolean, isInDebt: boolean): void {
    const wasHeld = this.#isStoreFull || this.#isInDebt;
    this.#isStoreFull = isStoreFull;
    this.#isInDebt = isInDebt;
    const isHeld = isStoreFull || isInDebt;
    if (isHeld === wasHeld || this.#ended) return;
    if (isHeld) {
      this.#lease.pause();
      this.#socket.pause();
    } else {
      this.#lease.resume();
      this.#socket.resume();
    }
  }
}
