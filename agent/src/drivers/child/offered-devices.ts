/**
 * The devices that a child offers: kept apart from the child, so that the agent alone decides which devices it may have.
 *
 * Invariants: the host knows only admitted devices; a device whose admission is withdrawn has left; a child has at most
 * {@link MOST_DEVICES}.
 */
import {
  type Admissions,
  type Admit,
  admission,
  CLAIM_AGAIN_MS,
  type FoundDevice,
  type LiveDevice,
  type SharedHost,
  serviceNames,
} from "@porchlight/driver-kit";
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { CATALOGUE } from "@porchlight/shared/model";
import type { ToChild } from "./messages.ts";

export interface OfferedDevicesDeps {
  readonly clock: Clock;
  readonly host: SharedHost;
  readonly send: (message: ToChild) => void;
  /** Devices that the settings admit. Left out for a built-in driver, which checks by itself. */
  readonly admit?: Admit | undefined;
  readonly admissions?: Admissions | undefined;
}

interface Offer {
  readonly number: number;
  device: LiveDevice;
  stands: "granted" | "refused" | FoundDevice["admission"];
  /** Cancels the host's notification that the device may be offered again. */
  forget: () => void;
}

export const MOST_DEVICES = 1000;
/** Maximum unadmitted devices that are reported. */
const MOST_FOUND = 100;
const nothing = () => undefined;

export class OfferedDevices {
  readonly #deps: OfferedDevicesDeps;
  readonly #offers = new Map<string, Offer>();
  readonly #stopListening: () => void;
  #again: Timer | undefined;

  constructor(deps: OfferedDevicesDeps) {
    this.#deps = deps;
    this.#stopListening = deps.admissions?.listen(() => this.#considerAll()) ?? nothing;
  }

  /** Whether the host has granted the device to this child. */
  has(edgeId: string): boolean {
    return this.#offers.get(edgeId)?.stands === "granted";
  }

  found(): FoundDevice[] {
    const found: FoundDevice[] = [];
    for (const { device, stands } of this.#offers.values()) {
      if (stands === "granted" || stands === "refused") continue;
      const services = serviceNames(device.description);
      found.push({ edgeId: device.edgeId, about: device.about, services, admission: stands });
      if (found.length === MOST_FOUND) break;
    }
    return found;
  }

  /** False when the child offers more devices than allowed. */
  offer(number: number, device: LiveDevice): boolean {
    const { edgeId } = device;
    const before = this.#offers.get(edgeId);
    if (!before && this.#offers.size >= MOST_DEVICES) return false;
    before?.forget();
    const offer: Offer = { number, device, stands: "refused", forget: nothing };
    this.#offers.set(edgeId, offer);
    if (before?.stands === "granted") {
      // The child offers a device that it already has.
      offer.stands = "granted";
      this.#deps.host.described(device);
      this.#tell("granted", offer);
    } else this.#consider(offer);
    return true;
  }

  /** Takes a new description, which can make the device one that needs an individual admission. */
  describe(device: LiveDevice): void {
    const offer = this.#offers.get(device.edgeId);
    if (!offer) return;
    offer.device = device;
    this.#consider(offer);
    if (offer.stands === "granted") this.#deps.host.described(device);
  }

  /** Removes devices that belong to another hub, even if the driver keeps them, and requests them again later. */
  yield(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      const offer = this.#offers.get(edgeId);
      if (offer?.stands !== "granted") continue;
      offer.stands = "refused";
      this.#deps.host.left(edgeId);
      this.#consider(offer);
    }
  }

  /** Removes a device that the child has lost, or no longer wants. */
  remove(edgeId: string): void {
    const offer = this.#offers.get(edgeId);
    if (!offer) return;
    this.#offers.delete(edgeId);
    offer.forget();
    if (offer.stands === "granted") this.#deps.host.left(edgeId);
  }

  /** Removes all devices, because the child has ended. */
  end(): void {
    this.#stopListening();
    this.#again?.cancel();
    for (const edgeId of [...this.#offers.keys()]) this.remove(edgeId);
  }

  #considerAll(): void {
    for (const offer of [...this.#offers.values()]) this.#consider(offer);
  }

  #consider(offer: Offer): void {
    const { host } = this.#deps;
    const { edgeId } = offer.device;
    if (this.#offers.get(edgeId) !== offer) return;
    const withheld = this.#withheld(offer.device);
    const wasGranted = offer.stands === "granted";
    if (withheld) {
      offer.forget();
      offer.stands = withheld;
      if (wasGranted) host.left(edgeId);
      return;
    }
    if (wasGranted) return;
    offer.forget();
    const answer = host.arrived(offer.device);
    offer.stands = answer === "admitted" ? "granted" : "refused";
    if (answer === "admitted") {
      offer.forget = nothing;
      this.#tell("granted", offer);
      return;
    }
    offer.forget = host.whenFree(edgeId, () => this.#consider(offer));
    if (answer === "refused") this.#tell("refused", offer);
    this.#askAgain();
  }

  /** The reason why the hub leaves the device alone; undefined when the child may have it. */
  #withheld({ edgeId, description }: LiveDevice): FoundDevice["admission"] | undefined {
    const { admit, admissions } = this.#deps;
    if (!admit || admissions?.isAdmitted(edgeId)) return undefined;
    const candidate = { edgeId, services: description, isSensitive: description.some(isUnknownActor) };
    const given = admission(admit, candidate);
    if (given === "admitted") return undefined;
    return given === "awaiting" ? "awaiting_admission" : "not_admitted";
  }

  /** Schedules another request, since another link or another hub may have released a device. */
  #askAgain(): void {
    this.#again ??= this.#deps.clock.timer("devices that a child was refused", CLAIM_AGAIN_MS, () => {
      this.#again = undefined;
      this.#considerAll();
    });
  }

  #tell(type: "granted" | "refused", { device, number }: Offer): void {
    this.#deps.send({ type, edgeId: device.edgeId, offer: number });
  }
}

/** An unknown service with a writable property may be dangerous, or unlock a door. */
function isUnknownActor({ service, properties }: LiveDevice["description"][number]): boolean {
  return !CATALOGUE.has(service) && properties.some(({ access }) => access.includes("write"));
}
