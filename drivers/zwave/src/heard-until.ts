/**
 * Until when the hub has heard the network, also before it was started anew: what a sleeping device has said after that is news, which
 * nobody else will tell.
 */
import type { DriverStore } from "@porchlight/driver-kit";
import { type Clock, every, type Log } from "@porchlight/shared/kernel";

const KEY = "heard until";
/** How often it is kept while the network is heard, ms. What is told twice after a power cut does no harm; a worn flash does. */
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

  /** The network is heard from now on. */
  begin(): void {
    this.#isHearing = true;
  }

  /** It is heard no more. */
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
