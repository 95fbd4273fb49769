/**
 * What this process knows of commands that are open: until when they may still be carried out, on its monotonic clock, since what another
 * process sent is never sent again; and of those whose callers still wait, whether a hub has been asked for them beside their caller's
 * own way, as one is that comes back meanwhile.
 */

/** Deadlines that have passed are looked for when there are twice as many as after the last look, and at least so many. */
const FEWEST = 64;

export class OpenDeadlines {
  readonly #deadlines = new Map<string, number>();
  #lookAt = FEWEST;
  /** By ID, whether a hub has been asked. */
  readonly #watched = new Map<string, boolean>();

  /** Remembers, until it is disposed of, whether a hub is asked for the command. To be called before it is stored. */
  watch(commandId: string): Disposable {
    this.#watched.set(commandId, false);
    return { [Symbol.dispose]: () => void this.#watched.delete(commandId) };
  }

  /** A hub is being asked for the command, as it stands in the store. */
  asked(commandId: string): void {
    if (this.#watched.has(commandId)) this.#watched.set(commandId, true);
  }

  /** Whether a hub has been asked for a command that is watched. */
  wasAsked(commandId: string): boolean {
    return this.#watched.get(commandId) === true;
  }

  /** @param deadline monotonic, ms @param now monotonic, ms */
  set(commandId: string, deadline: number, now: number): void {
    if (deadline > now) this.#deadlines.set(commandId, deadline);
    if (this.#deadlines.size >= this.#lookAt) this.#dropPassed(now);
  }

  /** Its end is known: it is not sent again. */
  forget(commandId: string): void {
    this.#deadlines.delete(commandId);
  }

  /** Undefined when there is no time left. */
  get(commandId: string, now: number): number | undefined {
    const deadline = this.#deadlines.get(commandId);
    return deadline !== undefined && deadline > now ? deadline : undefined;
  }

  /** How many are remembered; some of them may have passed. */
  get size(): number {
    return this.#deadlines.size;
  }

  #dropPassed(now: number): void {
    for (const [id, deadline] of this.#deadlines) if (deadline <= now) this.#deadlines.delete(id);
    this.#lookAt = Math.max(FEWEST, this.#deadlines.size * 2);
  }
}
