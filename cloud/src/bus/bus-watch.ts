/** Logs whether this node is connected to the other nodes: the bus itself only reports its state. */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";

/** Outages shorter than this are not logged, ms. */
const LOG_AFTER_MS = 1_000;

const WARNING = "This node cannot reach the other nodes: NATS does not answer.";

export interface BusWatchDeps {
  readonly bus: Pick<Bus, "connected" | "onChange">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Logs once when the connection has been down for a second, at the start too, and once when it is up again. */
export class BusWatch implements Disposable {
  readonly #deps: BusWatchDeps;
  readonly #stopListening: () => void;
  #timer: Timer | undefined;
  /** Monotonic ms of the last warning; undefined when the connection has been up since. */
  #warnedAt: number | undefined;

  private constructor(deps: BusWatchDeps) {
    this.#deps = deps;
    this.#stopListening = deps.bus.onChange((connected) => this.#changed(connected));
    this.#changed(deps.bus.connected);
  }

  static start(deps: BusWatchDeps): BusWatch {
    return new BusWatch(deps);
  }

  /** The warning while the connection is down; the node serves requests all the same. */
  get warning(): string | undefined {
    return this.#warnedAt === undefined ? undefined : WARNING;
  }

  #changed(connected: boolean): void {
    this.#timer?.cancel();
    const { clock, log } = this.#deps;
    if (!connected) {
      if (this.#warnedAt === undefined) this.#timer = clock.timer("NATS away", LOG_AFTER_MS, () => this.#say());
      return;
    }
    if (this.#warnedAt === undefined) return;
    const lastedMs = Math.round(clock.monotonic() - this.#warnedAt);
    this.#warnedAt = undefined;
    log.warn({ lastedMs }, "NATS answers again; this node can reach the others");
  }

  #say(): void {
    this.#warnedAt = this.#deps.clock.monotonic();
    this.#deps.log.warn(
      {},
      "NATS does not answer; will retry. Until then this node learns of changes up to a second late",
    );
  }

  [Symbol.dispose](): void {
    this.#stopListening();
    this.#timer?.cancel();
  }
}

/**
 * The bus between the nodes of a service: short messages that can be lost, late or duplicated. A subscriber treats a message as a
 * reason to read the database, or acts on it only while it is still valid; the database holds the truth.
 */

export interface Bus extends AsyncDisposable {
  /** Whether other nodes are reachable, as far as is known. */
  readonly connected: boolean;
  /** Notifies the listener at every change of {@link connected}. Returns a function that stops it. */
  onChange(listener: (connected: boolean) => void): () => void;
  /** Publishes to all subscribers; it does not wait for them, and drops the message while disconnected. */
  publish(subject: string, message: unknown): void;
  /** @param subject `*` matches one token of it. Returns a function that unsubscribes. */
  subscribe(subject: string, heard: (message: unknown) => void): () => void;
  /**
   * Sends a request to the process that answers under a subject.
   * @throws NoResponder when no process received it, NoAnswer when no answer came in time
   */
  ask(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers the requests under a subject; an error is logged, and no answer is sent. Returns a function that stops it. */
  answer(subject: string, answer: (message: unknown) => Promise<unknown>): () => void;
}

/** No node received the request: no work was begun. */
export class NoResponder extends Error {
  constructor(cause?: unknown) {
    super("no node was there to be asked", { cause });
  }
}

/** A node can have received the request and acted on it. */
export class NoAnswer extends Error {
  constructor(cause?: unknown) {
    super("the node that was asked did not answer in time", { cause });
  }
}
