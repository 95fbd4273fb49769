/**
 * Runs rounds of work one at a time: requests that arrive during a round are served by one more round.
 *
 * Invariant: the last check for new requests and the end are one step, so that no request can arrive between them and be forgotten.
 */
export class Rounds {
  readonly #round: () => Promise<void>;
  #asked = false;
  #ended = false;
  #running: Promise<void> | undefined;

  /** @param round handles its own failures; if it throws, the requested rounds end, and callers that wait for them get the error */
  constructor(round: () => Promise<void>) {
    this.#round = round;
  }

  /**
   * Requests a round. Settles when a round that began after this call, and every round requested meanwhile, has ended; at once when no
   * more rounds begin.
   */
  ask(): Promise<void> {
    this.#asked = true;
    if (this.#running !== undefined) return this.#running;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#run().then(resolve, reject);
    return promise;
  }

  /** Undefined when no round runs; settles with the last of the requested rounds. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Whether rounds have been ended: a long round checks it in between. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Begins no more rounds. Settles when the current one has ended. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#asked && !this.#ended) {
        this.#asked = false;
        await this.#round();
      }
    } finally {
      this.#running = undefined;
    }
  }
}
