/** Commands whose fast copy has been committed with all its effects: their record in the hub's history needs no look-up any more. */
import { BoundedMap } from "@porchlight/shared/kernel";

/** Beyond it the oldest is forgotten, and its record looked up. */
const MOST = 20_000;

export class StoredResults {
  readonly #commands = new BoundedMap<string, true>(MOST);

  /** To be told after the commit. */
  add(commandId: string): void {
    this.#commands.set(commandId, true);
  }

  /** Whether the command's record has nothing left to do. */
  has(commandId: string): boolean {
    return this.#commands.has(commandId);
  }
}
