/**
 * Lets all that is sent in one turn of the loop leave together: one system call here, and at the other end one wake-up
 * and so one commit for all of it.
 */

/** The stream under a WebSocket, as Node's sockets are. */
export interface Corked {
  cork(): void;
  uncork(): void;
}

export class TurnCork {
  readonly #carrier: Corked;
  #held = false;

  constructor(carrier: Corked) {
    this.#carrier = carrier;
  }

  /** To be called before each send: what follows waits for the end of this turn. */
  hold(): void {
    if (this.#held) return;
    this.#held = true;
    this.#carrier.cork();
    setImmediate(() => {
      this.#held = false;
      this.#carrier.uncork();
    });
  }
}
