/** Offers a device to the host until the host accepts it: another link or another hub may have it. */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import type { LiveDevice } from "../contract/driver.ts";
import type { Claims } from "../host/claims.ts";
import { CLAIM_AGAIN_MS, hostWithClaims, SessionClaims, type SharedHost } from "../host/session-claims.ts";

/** A device behind a connection of its own. */
export interface OfferableDevice {
  readonly edgeId: string;
  readonly transport: string;
  /** As announced to the host. */
  readonly announced: LiveDevice;
  /** Whether the host has accepted the device. */
  readonly isLive: boolean;
  /** The host has accepted the device. */
  arrive(): void;
  leave(): void;
  /** Reports everything that the host does not know yet. */
  tellAll(): void;
}

export interface OfferDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: SharedHost;
  readonly claims: Claims;
}

export class OfferedDevice<D extends OfferableDevice> implements Disposable {
  readonly device: D;
  readonly #deps: OfferDeps;
  readonly #host: SharedHost;
  readonly #ending = new AbortController();
  #forget: (() => void) | undefined;
  #again: Timer | undefined;

  constructor(device: D, deps: OfferDeps) {
    const { clock, log, claims, host } = deps;
    const { signal } = this.#ending;
    this.device = device;
    this.#deps = deps;
    const asked = new SessionClaims({ clock, log, claims, signal, answered: () => undefined });
    this.#host = hostWithClaims(host, asked);
    this.#host.opened(device.transport);
    this.#offer();
  }

  /** Another hub owns the device: it leaves, and is offered again later. */
  yield(): void {
    if (!this.device.isLive) return;
    this.#leave();
    this.#offer();
  }

  /** The device's description has changed. */
  redescribed(): void {
    if (this.device.isLive) this.#host.described(this.device.announced);
    this.device.tellAll();
  }

  [Symbol.dispose](): void {
    this.#ending.abort(new Error("the device is not reached any more"));
    this.#clear();
    this.#leave();
  }

  #offer(): void {
    this.#clear();
    if (this.#ending.signal.aborted || this.device.isLive) return;
    if (this.#host.arrived(this.device.announced) === "admitted") {
      this.device.arrive();
      return;
    }
    const again = () => this.#offer();
    this.#forget = this.#host.whenFree(this.device.edgeId, again);
    this.#again = this.#deps.clock.timer("device that was refused", CLAIM_AGAIN_MS, again);
  }

  #leave(): void {
    if (!this.device.isLive) return;
    this.device.leave();
    this.#host.left(this.device.edgeId);
  }

  #clear(): void {
    this.#forget?.();
    this.#forget = undefined;
    this.#again?.cancel();
    this.#again = undefined;
  }
}
