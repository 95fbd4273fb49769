/**
 * Decides whether a hub's socket is read: not while its batches wait for the store, and not while its budget is in
 * debt. TCP backpressure then slows the hub; nothing is dropped, and a pause of ours does not let its lease expire.
 */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import type { MessageSocket } from "@porchlight/shared/tunnel";
import type { HubBudgets, Spender } from "./hub-budgets.ts";
import type { Lease } from "./lease.ts";

export interface ReadingDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly budgets: HubBudgets;
  /** Counts an action taken against the hub, by its name. */
  readonly count: (what: string) => void;
}

/** The connection that is read. */
export interface ReadHub {
  readonly spender: Spender;
  readonly socket: Pick<MessageSocket, "pause" | "resume">;
  readonly lease: Pick<Lease, "heard" | "pause" | "resume">;
}

/** State of a hub that has exceeded its budget; most hubs never do. */
interface Slowing {
  /** Runs until the debt is paid; undefined without debt. */
  wait: Timer | undefined;
  /** Monotonic time at which the current slowing began. */
  since: number | undefined;
  /** Duration of earlier slowing that is not reported to the hub yet. */
  ms: number;
  loggedAt: number;
}

/** Shortest pause, ms: a shorter one is not worth the calls. */
const SHORTEST_MS = 10;
/** Minimum interval between log lines for one connection, ms. */
const LOG_EVERY_MS = 60_000;
const NOTHING = { messages: 0, bytes: 0, records: 0 };

export class HubReading implements Disposable {
  readonly #deps: ReadingDeps;
  readonly #spender: Spender;
  readonly #socket: ReadHub["socket"];
  readonly #lease: ReadHub["lease"];
  #slowing: Slowing | undefined;
  #isStoreFull = false;
  #ended = false;

  constructor(deps: ReadingDeps, hub: ReadHub) {
    this.#deps = deps;
    this.#spender = hub.spender;
    this.#socket = hub.socket;
    this.#lease = hub.lease;
  }

  /** Records a message and renews the lease, which needs arrival and not a valid message. @param bytes characters of its text */
  heard(bytes: number): void {
    this.#lease.heard();
    this.#spend({ messages: 1, bytes, records: 0 });
  }

  /** Charges the records of a message. */
  records(records: number): void {
    this.#spend({ messages: 0, bytes: 0, records });
  }

  /** Pauses or resumes for the store: whether the hub's waiting batches are at their bound. */
  storeFull(full: boolean): void {
    const wasHeld = this.#isHeld;
    this.#isStoreFull = full;
    this.#hold(wasHeld);
  }

  /** How long the hub was slowed since the last call, whole ms. */
  takeSlowedMs(): number {
    const slowing = this.#slowing;
    if (!slowing) return 0;
    const now = this.#deps.clock.monotonic();
    countSlowed(slowing, now);
    if (slowing.since !== undefined) slowing.since = now;
    const ms = Math.round(slowing.ms);
    slowing.ms = 0;
    return ms;
  }

  /** The connection has ended. */
  [Symbol.dispose](): void {
    this.#ended = true;
    this.#slowing?.wait?.cancel();
  }

  #spend(spent: typeof NOTHING): void {
    const { clock, budgets } = this.#deps;
    const now = clock.monotonic();
    const owedMs = budgets.spend(this.#spender, now, spent);
    if (owedMs < 1 || this.#slowing?.wait || this.#ended) return;
    this.#slowing ??= { wait: undefined, since: undefined, ms: 0, loggedAt: Number.NEGATIVE_INFINITY };
    this.#slowing.since = now;
    this.#say(this.#slowing, now, owedMs);
    const wasHeld = this.#isHeld;
    this.#waitFor(this.#slowing, owedMs);
    this.#hold(wasHeld);
  }

  #waitFor(slowing: Slowing, owedMs: number): void {
    const { clock, budgets } = this.#deps;
    slowing.wait = clock.timer("budget of a hub", Math.max(SHORTEST_MS, Math.ceil(owedMs)), () => {
      const now = clock.monotonic();
      // Messages in flight when reading stopped, and other hubs of the ecosystem, may have spent the budget meanwhile.
      const stillMs = budgets.spend(this.#spender, now, NOTHING);
      if (stillMs >= 1) {
        this.#waitFor(slowing, stillMs);
        return;
      }
      countSlowed(slowing, now);
      const wasHeld = this.#isHeld;
      slowing.wait = undefined;
      slowing.since = undefined;
      this.#hold(wasHeld);
    });
  }

  #say(slowing: Slowing, now: number, owedMs: number): void {
    const { log, count } = this.#deps;
    count("hub slowed");
    if (now - slowing.loggedAt < LOG_EVERY_MS) return;
    slowing.loggedAt = now;
    const client = this.#spender.clientId;
    log.warn({ client, owedMs: Math.round(owedMs) }, "a hub sends more than its budget and is slowed");
  }

  /** The socket is not read while the store is full, or the budget is in debt. */
  get #isHeld(): boolean {
    return this.#isStoreFull || this.#slowing?.wait !== undefined;
  }

  #hold(wasHeld: boolean): void {
    const isHeld = this.#isHeld;
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

function countSlowed(slowing: Slowing, now: number): void {
  if (slowing.since !== undefined) slowing.ms += now - slowing.since;
}
