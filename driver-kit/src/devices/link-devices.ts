/**
 * The devices behind one link that other hubs can see too, and which of them this hub uses.
 *
 * Invariants: a device is live while the link is up, the device is seen, it reports that it is reachable, it is admitted, and it belongs
 * to no other hub; the host is notified of each arrival and departure once.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { FoundDevice, LiveDevice } from "../contract/driver.ts";
import type { Admission, Candidate } from "../host/admission.ts";
import { CLAIM_AGAIN_MS, type SharedHost } from "../host/session-claims.ts";
import { doneAtOnce, type Work } from "../turns/loop-turns.ts";
import { serviceNames } from "../values/described-services.ts";

/** A device as its driver sees it. */
export interface SeenDevice {
  /** As announced to the host: a new object when the description changes. */
  readonly announced: LiveDevice;
  /** Whether it can be reached behind the link. */
  readonly isThere: boolean;
  /** The device can cause injury or let a person in, by a part of no standard class. */
  readonly isSensitive: boolean;
  /** The host has accepted the device. */
  arrive(): void;
  /** The device has left, or is no longer reachable. */
  leave(): void;
}

export interface LinkDevicesDeps {
  readonly clock: Clock;
  readonly host: SharedHost;
  readonly admit: (candidate: Candidate) => Admission;
  /** Asks the cloud which hub owns these devices, in one question; after each answer all waiting devices are considered again. */
  readonly ask: (edgeIds: readonly string[]) => void;
  /** Called with the edgeIds of all admitted devices before the first of them arrives: for a link that must subscribe to its devices. */
  readonly admitted?: ((edgeIds: ReadonlySet<string>) => Work) | undefined;
}

/** Number of steps that announcing a device, or its new description, counts for. */
const STEPS_OF_DEVICE = 10;
/** Maximum number of withheld devices that `status` lists. */
const MOST_SHOWN = 50;

interface Withheld {
  readonly device: LiveDevice;
  readonly why: "awaiting" | "notAdmitted";
}

export class LinkDevices<D extends SeenDevice> {
  readonly #deps: LinkDevicesDeps;
  readonly #devices = new Map<string, D>();
  readonly #live = new Map<string, LiveDevice>();
  #withheld: readonly Withheld[] = [];
  /** By edgeId: cancels the host's notification that the device is free. */
  readonly #refused = new Map<string, () => void>();
  #again: Timer | undefined;
  #isUp = false;

  constructor(deps: LinkDevicesDeps) {
    this.#deps = deps;
  }

  /** The device, if the host has accepted it. */
  live(edgeId: string): D | undefined {
    return this.#live.has(edgeId) ? this.#devices.get(edgeId) : undefined;
  }

  /** Replaces the set of all seen devices, by edgeId; a device that was seen before must be the same object. */
  see(seen: ReadonlyMap<string, D>): void {
    doneAtOnce(this.seeInTurns(seen));
  }

  /** Like `see`, in slices: devices that are no longer admitted leave before the first slice ends. Its calls must not overlap. */
  *seeInTurns(seen: ReadonlyMap<string, D>): Work {
    const admitted = this.#admitted(seen);
    for (const edgeId of [...this.#devices.keys()]) if (!admitted.has(edgeId)) this.#remove(edgeId);
    const added = [...admitted.keys()].filter((edgeId) => !this.#devices.has(edgeId));
    if (this.#deps.admitted) yield* this.#deps.admitted(new Set(admitted.keys()));
    for (const [edgeId, device] of admitted) this.#devices.set(edgeId, device);
    if (this.#isUp) this.#deps.ask(added);
    for (const edgeId of admitted.keys()) {
      this.consider(edgeId);
      yield STEPS_OF_DEVICE;
    }
  }

  /** The link is up: the devices behind it are reachable. */
  up(): void {
    doneAtOnce(this.upInTurns());
  }

  /** Like `up`, in slices. */
  *upInTurns(): Work {
    this.#isUp = true;
    this.#deps.ask([...this.#devices.keys()]);
    for (const edgeId of [...this.#devices.keys()]) {
      this.consider(edgeId);
      yield STEPS_OF_DEVICE;
    }
  }

  /** The link is down: all devices leave. */
  down(): void {
    this.#isUp = false;
    this.#again?.cancel();
    this.#again = undefined;
    for (const edgeId of [...this.#refused.keys()]) this.#forgetRefusal(edgeId);
    for (const edgeId of [...this.#live.keys()]) this.#leave(edgeId);
  }

  /** These devices belong to another hub. */
  yield(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      if (!this.#live.has(edgeId)) continue;
      this.#leave(edgeId);
      this.consider(edgeId);
    }
  }

  /** Announces, updates or removes the device, by its current state. */
  consider(edgeId: string): void {
    const device = this.#devices.get(edgeId);
    if (!device) return;
    const isThere = this.#isUp && device.isThere;
    const live = this.#live.get(edgeId);
    if (live && !isThere) this.#leave(edgeId);
    else if (live) this.#describe(device, live);
    else if (isThere) this.#arrive(device);
    else this.#forgetRefusal(edgeId);
  }

  found(): FoundDevice[] {
    return this.#withheld.map(({ device: { edgeId, about, description }, why }) => ({
      ...{ edgeId, about, services: serviceNames(description) },
      admission: why === "awaiting" ? "awaiting_admission" : "not_admitted",
    }));
  }

  status() {
    const shown = (wanted: Withheld["why"]) =>
      this.#withheld
        .filter(({ why }) => why === wanted)
        .slice(0, MOST_SHOWN)
        .map(({ device: { edgeId, about } }) => ({ edgeId, name: about.name, model: about.model }));
    return {
      devices: { admitted: this.#devices.size, live: this.#live.size },
      awaitingAdmission: shown("awaiting"),
      notAdmitted: shown("notAdmitted"),
    };
  }

  #admitted(seen: ReadonlyMap<string, D>): Map<string, D> {
    const admitted = new Map<string, D>();
    const withheld: Withheld[] = [];
    for (const [edgeId, device] of seen) {
      const { announced, isSensitive } = device;
      const why = this.#deps.admit({ edgeId, isSensitive, services: announced.description });
      if (why === "admitted") admitted.set(edgeId, device);
      else withheld.push({ device: announced, why });
    }
    this.#withheld = withheld;
    return admitted;
  }

  #remove(edgeId: string): void {
    this.#forgetRefusal(edgeId);
    this.#leave(edgeId);
    this.#devices.delete(edgeId);
  }

  #describe({ announced }: D, live: LiveDevice): void {
    if (announced === live) return;
    this.#live.set(announced.edgeId, announced);
    this.#deps.host.described(announced);
  }

  #arrive(device: D): void {
    const { host } = this.#deps;
    const { announced } = device;
    const { edgeId } = announced;
    this.#forgetRefusal(edgeId);
    if (host.arrived(announced) === "admitted") {
      this.#live.set(edgeId, announced);
      device.arrive();
      return;
    }
    this.#refused.set(
      edgeId,
      host.whenFree(edgeId, () => this.consider(edgeId)),
    );
    this.#askAgain();
  }

  #leave(edgeId: string): void {
    if (!this.#live.delete(edgeId)) return;
    this.#devices.get(edgeId)?.leave();
    this.#deps.host.left(edgeId);
  }

  #forgetRefusal(edgeId: string): void {
    this.#refused.get(edgeId)?.();
    this.#refused.delete(edgeId);
  }

  /** Considers refused devices again after a while: another hub may have released one. */
  #askAgain(): void {
    this.#again ??= this.#deps.clock.timer("devices that were refused", CLAIM_AGAIN_MS, () => {
      this.#again = undefined;
      for (const edgeId of [...this.#refused.keys()]) this.consider(edgeId);
    });
  }
}
