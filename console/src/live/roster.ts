/** Keeps a board's devices as they are: how they stand is no part of the event log, so it is asked for whenever it may have changed. */
import { isPorchlightError } from "@porchlight/sdk";
import type { Device } from "@porchlight/shared/api";
import { type Clock, orAborted, sleep } from "@porchlight/shared/kernel";
import type { Board } from "./board.ts";

/** While a device's state is not known, or the last question had no answer, ms. */
const AGAIN = 3000;
/** A burst of events is one question, ms. */
const TOGETHER = 200;

export interface RosterDeps {
  readonly board: Board;
  readonly clock: Clock;
  readonly devices: () => Promise<readonly Device[]>;
  /** Told after each answer. */
  readonly changed: () => void;
  readonly signal: AbortSignal;
}

export class Roster {
  readonly #deps: RosterDeps;
  #wake = Promise.withResolvers<void>();

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  /** Something has happened after which the devices may stand otherwise. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Asks once. @throws PorchlightError */
  async read(): Promise<void> {
    this.#deps.board.setDevices(await this.#deps.devices());
  }

  /** Asks whenever there is reason to. @throws PorchlightError when the service refuses; the signal's reason */
  async run(): Promise<never> {
    const { clock, board, changed, signal } = this.#deps;
    let isOpen = board.hasUnknown;
    for (;;) {
      const again = isOpen ? [sleep(clock, "devices again", AGAIN, signal)] : [];
      await orAborted(Promise.race([this.#wake.promise, ...again]), signal);
      await sleep(clock, "devices of a burst of events", TOGETHER, signal);
      this.#wake = Promise.withResolvers<void>();
      try {
        await this.read();
        isOpen = board.hasUnknown;
        changed();
      } catch (failure) {
        // Whether there is a service again is for the stream to find out and to tell.
        if (!isPassing(failure)) throw failure;
        isOpen = true;
      }
    }
  }
}

function isPassing(failure: unknown): boolean {
  return isPorchlightError(failure) && (failure.status === 0 || failure.status === 429 || failure.status >= 500);
}
