/**
 * Releases the hub's devices when it leaves its owner: a device that stays bound to this hub must be reset by hand before another hub
 * can have it.
 *
 * Invariants: it ends within {@link MOST_MS}; a device counts as released only when its driver has confirmed it.
 */
import { SetupFailed, type SetupKind, type SetupTalk, type StatedDriver } from "@porchlight/driver-kit";
import type { Clock, Log } from "@porchlight/shared/kernel";
import { MOST_MS } from "./setup-run.ts";

export interface ReleaseDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly drivers: readonly StatedDriver[];
}

export interface ReleaseState {
  readonly isOver: boolean;
  /** The current step, in the driver's words; empty before the first one. */
  readonly text: string;
  /** How many devices are bound to this hub, or were. */
  readonly bound: number;
  readonly released: number;
  /** edgeIds of the devices that are still bound at the end. */
  readonly mustBeReset: readonly string[];
}

const LONGEST_TEXT = 256;

export class Release implements Disposable {
  readonly #log: Log;
  readonly #ending = new AbortController();
  readonly #bound = new Set<string>();
  readonly #released = new Set<string>();
  #text = "";
  #isOver = false;

  constructor({ clock, log, drivers }: ReleaseDeps) {
    this.#log = log;
    const limit = clock.timer("devices that are not released", MOST_MS, () => this.cut());
    void Promise.all(drivers.flatMap((driver) => this.#of(driver))).then(() => {
      limit.cancel();
      this.#isOver = true;
    });
  }

  look(): ReleaseState {
    const left = [...this.#bound].filter((edgeId) => !this.#released.has(edgeId));
    return {
      isOver: this.#isOver,
      text: this.#text,
      bound: this.#bound.size,
      released: this.#released.size,
      mustBeReset: this.#isOver ? left : [],
    };
  }

  /** Ends the release early: the user does not wait for the remaining devices, nor for a driver's current step. */
  cut(): void {
    this.#ending.abort(new SetupFailed("A person ended the setup."));
    this.#isOver = true;
  }

  [Symbol.dispose](): void {
    this.cut();
  }

  #of(driver: StatedDriver): Promise<void>[] {
    const kinds = driver.setup ? (driver.setups?.() ?? []) : [];
    return kinds.flatMap((kind) => {
      for (const edgeId of kind.releases ?? []) this.#bound.add(edgeId);
      return kind.releases ? [this.#run(driver, kind)] : [];
    });
  }

  async #run(driver: StatedDriver, { kind, title, releases = [] }: SetupKind): Promise<void> {
    this.#tell(title);
    try {
      await driver.setup?.(kind, this.#talk(new Set(releases)));
    } catch (failure) {
      this.#log.warn({ driver: driver.name, failure: String(failure) }, "not all devices have been released");
    }
  }

  #talk(bound: ReadonlySet<string>): SetupTalk {
    return {
      signal: this.#ending.signal,
      tell: (text) => this.#tell(text),
      found: ({ edgeId }) => {
        if (!this.#isOver && edgeId !== undefined && bound.has(edgeId)) this.#released.add(edgeId);
      },
      ask: () => Promise.reject(new SetupFailed("The hub is being unpaired, and cannot ask questions.")),
    };
  }

  #tell(text: string): void {
    this.#text = text.slice(0, LONGEST_TEXT);
  }
}
