/**
 * Tells the hub how the bridge is paired, again and again, for it keeps nothing of it: `porchlight-agent matter` and the portal show what
 * was told last, and nothing once the bridge tells no more.
 */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import type { PairingInfo } from "./pairing-info.ts";

export interface PairingReportDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tell: (info: PairingInfo & { readonly devices: number }) => Promise<void>;
}

/** The hub forgets what it was told after three times as long, ms. */
const EVERY_MS = 30_000;

export class PairingReport implements Disposable {
  readonly #deps: PairingReportDeps;
  #timer: Timer | undefined;
  #now: (PairingInfo & { readonly devices: number }) | undefined;
  #isTelling = false;
  #isEnded = false;

  constructor(deps: PairingReportDeps) {
    this.#deps = deps;
  }

  /** What is to be told from now on. */
  is(info: PairingInfo & { readonly devices: number }): void {
    this.#now = info;
    void this.#tell();
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#timer?.cancel();
  }

  async #tell(): Promise<void> {
    if (this.#isTelling || this.#isEnded || !this.#now) return;
    this.#isTelling = true;
    const told = this.#now;
    try {
      await this.#deps.tell(told);
    } catch (failure) {
      this.#deps.log.debug({ failure: String(failure) }, "the hub was not told how the bridge is paired");
    }
    this.#isTelling = false;
    if (this.#isEnded) return;
    if (this.#now !== told) return await this.#tell();
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.timer("how the bridge is paired", EVERY_MS, () => void this.#tell());
  }
}
