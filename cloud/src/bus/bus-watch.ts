/** Whether the line to the other nodes stands, in the words of an operator: its own file because a bus only knows, and does not log. */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import type { Bus } from "./bus.ts";

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
