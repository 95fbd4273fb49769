/**
 * What this process knows of commands that are open: until when they may still be carried out, on its monotonic clock, since what another
 * process sent is never sent again; and of those whose callers still wait, whether a hub has been asked for them beside their caller's
 * own way, as one is that comes back meanwhile.
 */

export class OpenDeadlines {
  readonly #deadlines = new Map<string, number>();
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
    for (const [id, passed] of this.#deadlines) {
      if (passed <= now) this.#deadlines.delete(id);
    }
    if (deadline > now) this.#deadlines.set(commandId, deadline);
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
}
