/** The network between the hub and its Matter device, as faults see it: pulled, or silent in one direction or both, without a notice to either end. */
import type { CableEnd, MatterNetwork } from "../../../parts/matter-device.ts";

export class Cable {
  readonly #network: MatterNetwork;
  readonly #silent = new Set<CableEnd>();
  #isPulled = false;

  constructor(network: MatterNetwork) {
    this.#network = network;
  }

  /** What this end sends is lost. */
  silence(...ends: readonly CableEnd[]): void {
    for (const end of ends) {
      if (this.#silent.has(end)) continue;
      this.#network.silence(end);
      this.#silent.add(end);
    }
  }

  pull(): void {
    this.#isPulled = true;
    this.#network.unplug();
  }

  /** All is well again. */
  heal(): void {
    for (const end of this.#silent) this.#network.hear(end);
    this.#silent.clear();
    if (this.#isPulled) this.#network.plugIn();
    this.#isPulled = false;
  }
}
