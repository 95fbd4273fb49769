/**
 * Time up to which the hub has received the network's events, kept across restarts. Anything that a sleeping device sent later is news
 * that no other source reports.
 */
import type { DriverStore } from "@porchlight/driver-kit";
import { type Clock, every, type Log } from "@porchlight/shared/kernel";

const KEY = "heard until";
/** Interval of storing it while connected, ms. Repeated reports after a power cut do no harm; a worn flash does. */
const KEEP_MS = 3_600_000;

export class HeardUntil implements Disposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #store: DriverStore | undefined;
  readonly #timer: Disposable;
  #isHearing = false;
  #until: number | undefined;

  private constructor(clock: Clock, log: Log, store: DriverStore | undefined, until: number | undefined) {
    this.#clock = clock;
    this.#log = log;
    this.#store = store;
    this.#until = until;
    const timer = every(clock, "time to which Z-Wave was heard", KEEP_MS, () => void this.#keep());
    this.#timer = { [Symbol.dispose]: () => timer.cancel() };
  }

  /** @throws what the store throws */
  static async load(clock: Clock, log: Log, store: DriverStore | undefined): Promise<HeardUntil> {
    const until = Number(Buffer.from((await store?.get(KEY)) ?? []).toString());
    return new HeardUntil(clock, log, store, Number.isSafeInteger(until) && until > 0 ? until : undefined);
  }

  /** Wall-clock ms; undefined: never. */
  get until(): number | undefined {
    return this.#until;
  }

  /** Events are received from now on. */
  begin(): void {
    this.#isHearing = true;
  }

  /** Events are no longer received. */
  async end(): Promise<void> {
    if (!this.#isHearing) return;
    await this.#keep();
    this.#isHearing = false;
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  async #keep(): Promise<void> {
    if (!this.#isHearing) return;
    this.#until = Math.round(this.#clock.now());
    await this.#store?.set(KEY, Buffer.from(String(this.#until))).catch((failure: unknown) => {
      this.#log.error({ failure: String(failure) }, "how long Z-Wave was heard could not be kept");
    });
  }
}
