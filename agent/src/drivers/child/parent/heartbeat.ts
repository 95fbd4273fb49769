/** Asks a child now and then whether it still turns: one in a busy loop is found by nothing else. */
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";

const HEARTBEAT_MS = 5000;
/** So many unanswered in a row, and the child stands still. Counted, because the agent may have stood still itself. */
const MOST_MISSED = 3;

export interface ChildHeartbeatDeps {
  readonly clock: Clock;
  readonly ping: (n: number) => void;
  readonly silent: () => void;
}

export class ChildHeartbeat {
  readonly #timer: Timer;
  #n = 0;
  #missed = 0;

  constructor({ clock, ping, silent }: ChildHeartbeatDeps) {
    const beat = () => {
      if (this.#missed >= MOST_MISSED) {
        silent();
        return;
      }
      this.#n += 1;
      this.#missed += 1;
      ping(this.#n);
    };
    beat();
    this.#timer = every(clock, "heartbeat of a child", HEARTBEAT_MS, beat);
  }

  /** The child has said something. */
  heard(): void {
    this.#missed = 0;
  }

  end(): void {
    this.#timer.cancel();
  }
}
