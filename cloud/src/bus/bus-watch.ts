/** Whether the line to the other nodes stands, in the words of an operator: its own file because a bus only knows, and does not log. */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";

/** A line that is away for less than this is not worth a word, ms. */
const SAID_AFTER_MS = 1_000;

const WARNING = "This node cannot reach the other nodes: NATS does not answer.";

export interface BusWatchDeps {
  readonly bus: Pick<Bus, "connected" | "onChange">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Logs once when the line has been away for a second, at the start too, and once when it stands again. */
export class BusWatch implements Disposable {
  readonly #deps: BusWatchDeps;
  readonly #stopListening: () => void;
  #timer: Timer | undefined;
  /** Monotonic ms of the warning that was logged last; undefined when the line has come back since. */
  #saidAt: number | undefined;

  private constructor(deps: BusWatchDeps) {
    this.#deps = deps;
    this.#stopListening = deps.bus.onChange((connected) => this.#changed(connected));
    this.#changed(deps.bus.connected);
  }

  static start(deps: BusWatchDeps): BusWatch {
    return new BusWatch(deps);
  }

  /** What is the matter, in a sentence, while it is; the node takes requests all the same. */
  get warning(): string | undefined {
    return this.#saidAt === undefined ? undefined : WARNING;
  }

  #changed(connected: boolean): void {
    this.#timer?.cancel();
    const { clock, log } = this.#deps;
    if (!connected) {
      if (this.#saidAt === undefined) this.#timer = clock.timer("NATS away", SAID_AFTER_MS, () => this.#say());
      return;
    }
    if (this.#saidAt === undefined) return;
    const lastedMs = Math.round(clock.monotonic() - this.#saidAt);
    this.#saidAt = undefined;
    log.warn({ lastedMs }, "NATS answers again; this node can reach the others");
  }

  #say(): void {
    this.#saidAt = this.#deps.clock.monotonic();
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
 * How the nodes of a service speak to each other: short messages that may be lost, late or told twice. Whoever hears one
 * takes it as a reason to look, or to do what is asked only as long as it still counts; the truth is in the database.
 */

export interface Bus extends AsyncDisposable {
  /** Whether others can be reached, as far as is known. */
  readonly connected: boolean;
  /** Told again and again whether others can be reached, at every change. Gives back how to stop. */
  onChange(listener: (connected: boolean) => void): () => void;
  /** Publishes to all listeners; it does not wait for them, and keeps nothing while the line is down. */
  publish(subject: string, message: unknown): void;
  /** @param subject `*` stands for one word of it. Gives back how to stop. */
  subscribe(subject: string, heard: (message: unknown) => void): () => void;
  /**
   * Asks the process that answers under a subject.
   * @throws NoResponder when it has reached no process, NoAnswer when nothing came in time
   */
  ask(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers what is asked under a subject; what it throws is logged, and nothing is answered. Gives back how to stop. */
  answer(subject: string, answer: (message: unknown) => Promise<unknown>): () => void;
}

/** No node received the question: nothing was begun. */
export class NoResponder extends Error {
  constructor(cause?: unknown) {
    super("no node was there to be asked", { cause });
  }
}

/** The question may have been heard, and acted upon. */
export class NoAnswer extends Error {
  constructor(cause?: unknown) {
    super("the node that was asked did not answer in time", { cause });
  }
}
