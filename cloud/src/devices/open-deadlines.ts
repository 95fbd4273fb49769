/** Until when commands that are open may still be carried out, on this process's monotonic clock: what another process sent is never sent again. */

export class OpenDeadlines {
  readonly #deadlines = new Map<string, number>();

  /** @param deadline monotonic, ms @param now monotonic, ms */
  set(commandId: string, deadline: number, now: number): void {
    for (const [id, passed] of this.#deadlines) {
      if (passed <= now) this.#deadlines.delete(id);
    }
    if (deadline > now) this.#deadlines.set(commandId, deadline);
  }

  /** Its end is known: whatever becomes of its row, it is not sent again. */
  forget(commandId: string): void {
    this.#deadlines.delete(commandId);
  }

  /** Undefined when there is no time left. */
  get(commandId: string, now: number): number | undefined {
    const deadline = this.#deadlines.get(commandId);
    return deadline !== undefined && deadline > now ? deadline : undefined;
  }
}
