/**
 * Work that goes round: never twice at once, and what is asked for while a round is under way is done in one more.
 *
 * Invariant: the last look at whether more was asked for and the end are one step, so that nothing is asked for in between and
 * forgotten.
 */
export class Rounds {
  readonly #round: () => Promise<void>;
  #asked = false;
  #ended = false;
  #running: Promise<void> | undefined;

  /** @param round sees to its own failures; one that it lets through ends the rounds that were asked for, and callers that wait for them are told */
  constructor(round: () => Promise<void>) {
    this.#round = round;
  }

  /** Settles when a round that began after this, and all that were asked for meanwhile, have ended; at once when none begins any more. */
  ask(): Promise<void> {
    this.#asked = true;
    if (this.#running !== undefined) return this.#running;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#run().then(resolve, reject);
    return promise;
  }

  /** There while rounds are under way, and settles with the last of them. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Whether no more rounds begin: one that takes long looks here in between. */
  get ended(): boolean {
    return this.#ended;
  }

  /** No more rounds begin. Settles when the one under way has ended. */
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
