/**
 * Ends of commands that the store did not take: stored as soon as it takes them, because their callers were told an ID and may ask for
 * it. Those of a process that dies meanwhile are lost, unless the hub has a record of them.
 */
import { type Clock, isNamed, type Log, sleep, TaskSet } from "@porchlight/shared/kernel";

export interface UnstoredEndsDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** How often the store is asked again, ms. */
const AGAIN_MS = 1_000;
/** Beyond it nothing more is kept. */
const MOST = 10_000;

export class UnstoredEnds implements AsyncDisposable {
  readonly #deps: UnstoredEndsDeps;
  readonly #stop = new AbortController();
  readonly #waiting = new TaskSet();

  constructor(deps: UnstoredEndsDeps) {
    this.#deps = deps;
  }

  /**
   * Tries until the end is stored, or there is nowhere left to store it.
   * @returns whether it is kept
   */
  keep(commandId: string, store: () => Promise<unknown>): boolean {
    if (this.#waiting.size >= MOST || this.#stop.signal.aborted) return false;
    void this.#waiting.add(this.#storeLater(commandId, store));
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#waiting.idle();
  }

  async #storeLater(commandId: string, store: () => Promise<unknown>): Promise<void> {
    const { clock, log } = this.#deps;
    for (;;) {
      try {
        await sleep(clock, "end of a command that is not stored", AGAIN_MS, this.#stop.signal);
      } catch {
        log.warn({ command: commandId }, "the result of a command was not stored before the service stopped");
        return;
      }
      try {
        await store();
        return;
      } catch (error) {
        if (isNamed(error, "Service Unavailable")) continue;
        log.error({ error, command: commandId }, "the result of a command cannot be stored");
        return;
      }
    }
  }
}
