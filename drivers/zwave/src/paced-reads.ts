/** What devices are asked for after they have arrived: all together no faster than a slow radio network bears, and each on its own. */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import type { ZwaveDevice } from "./device/zwave-device.ts";

/** From one question to the next, ms: a node takes 20 to 100 ms to answer. */
const SPACING_MS = 200;

export class PacedReads {
  readonly #clock: Clock;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Has the device ask its node, or find out what that has said meanwhile. A device that does not answer delays no other.
   * @param since when the hub last heard the network, wall-clock ms; undefined: never
   */
  begin(device: ZwaveDevice, since: number | undefined): void {
    void device.readAll((signal) => this.#turn(signal));
    if (since !== undefined) void device.recallNews(since);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + SPACING_MS;
    if (at > now) await sleep(this.#clock, "device to be read", at - now, signal).catch(() => undefined);
  }
}
