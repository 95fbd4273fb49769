/**
 * Keeps the devices of a board up to date: the event log does not contain their states, so it reads them whenever they may have
 * changed.
 */
import { isPorchlightError } from "@porchlight/sdk";
import type { Device } from "@porchlight/shared/api";
import { type Clock, orAborted, sleep } from "@porchlight/shared/kernel";
import type { Board } from "./board.ts";

/** Interval of reads while a device's state is unknown, or the last read failed, ms. */
const AGAIN = 3000;
/** Time within which a burst of events causes a single read, ms. */
const TOGETHER = 200;

interface RosterDeps {
  readonly board: Board;
  readonly clock: Clock;
  readonly devices: () => Promise<readonly Device[]>;
  /** Called after each answer. */
  readonly changed: () => void;
  readonly signal: AbortSignal;
}

export class Roster {
  readonly #deps: RosterDeps;
  #wake = Promise.withResolvers<void>();

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  /** Call it when the devices' states may have changed. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Reads the devices once. @throws PorchlightError */
  async read(): Promise<void> {
    this.#deps.board.setDevices(await this.#deps.devices());
  }

  /** Reads the devices whenever necessary. @throws PorchlightError when the service rejects the request; the signal's reason */
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
        // The stream detects and reports an unavailable service.
        if (!isPassing(failure)) throw failure;
        isOpen = true;
      }
    }
  }
}

function isPassing(failure: unknown): boolean {
  return isPorchlightError(failure) && (failure.status === 0 || failure.status === 429 || failure.status >= 500);
}
