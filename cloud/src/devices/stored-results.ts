/** Commands whose fast copy has been committed with all its effects: their record in the hub's history needs no look-up any more. */

/** Beyond it the oldest is forgotten, and its record looked up. */
const MOST = 20_000;

export class StoredResults {
  readonly #commands = new Set<string>();

  /** To be told after the commit. */
  add(commandId: string): void {
    this.#commands.add(commandId);
    if (this.#commands.size <= MOST) return;
    for (const oldest of this.#commands) {
      this.#commands.delete(oldest);
      return;
    }
  }

  /** Whether the command's record has nothing left to do. */
  has(commandId: string): boolean {
    return this.#commands.has(commandId);
  }
}
