/** Reads the properties that a newly arrived device has not reported by itself: a few at a time, since all devices share one radio. */
import { attemptOf, type DriverHost } from "@porchlight/driver-kit";
import { type Clock, TaskSet } from "@porchlight/shared/kernel";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { BrokerDevice } from "./device/broker-device.ts";

export interface FirstReadsDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "learned">;
  /** Aborted when the driver ends. */
  readonly signal: AbortSignal;
}

/** Maximum number of devices that are read at once. */
const AT_ONCE = 4;
/** How long an answer may take, ms. */
const ANSWER_MS = 5000;
const MOST_OPEN = 3;

export class FirstReads {
  readonly #deps: FirstReadsDeps;
  readonly #waiting = new Set<BrokerDevice>();
  readonly #reading = new TaskSet();

  constructor(deps: FirstReadsDeps) {
    this.#deps = deps;
  }

  add(device: BrokerDevice): void {
    this.#waiting.add(device);
    this.#fill();
  }

  #fill(): void {
    while (this.#reading.size < AT_ONCE) {
      const [device] = this.#waiting;
      if (!device || this.#deps.signal.aborted) return;
      this.#waiting.delete(device);
      void this.#reading.add(this.#readAll(device)).then(() => this.#fill());
    }
  }

  /**
   * Reads one property after another. A device that leaves three reads in a row unanswered is not read any further: it reports by itself
   * when it is reachable.
   */
  async #readAll(device: BrokerDevice): Promise<void> {
    let open = 0;
    for (const address of device.unread) {
      if (!device.isLive || open === MOST_OPEN) return;
      if (device.hasReported(address)) continue;
      open = (await this.#read(device, address)) ? 0 : open + 1;
    }
  }

  async #read(device: BrokerDevice, address: PropertyAddress): Promise<boolean> {
    const { clock, host, signal } = this.#deps;
    const permit = { deadline: clock.monotonic() + ANSWER_MS, mayTouch: () => device.isLive, signal };
    const result = await device.read(address, attemptOf(clock, permit));
    if (result.kind === "failed") return false;
    // The host marks a value that could not be stored as unknown.
    const value = device.lastHeard(address) ?? result.value;
    await host.learned({ device: device.edgeId, ...address, value }).catch(() => undefined);
    return true;
  }
}
