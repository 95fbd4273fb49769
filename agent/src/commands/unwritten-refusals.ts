/** Refusals that the hub's disk did not take: kept in memory, so that a command that was refused is not begun when it is asked again. */
import type { JournalEntry, StoredResult } from "../state/index.ts";

/** Beyond it the oldest gives way; by then its time is over. */
const MOST = 10_000;

export class UnwrittenRefusals {
  readonly #results = new Map<string, StoredResult>();

  /** What was told of a command, as its journal entry would say it. */
  entry(command: string): JournalEntry | undefined {
    const result = this.#results.get(command);
    return result && { kind: "ended", result };
  }

  add(result: StoredResult): StoredResult {
    this.#results.set(result.command, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > MOST && oldest !== undefined) this.#results.delete(oldest);
    return result;
  }
}
