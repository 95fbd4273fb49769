/**
 * The devices behind one link that other hubs can see too: which of them this hub has.
 *
 * Invariants: a device is live while the link is up, it is seen, it says that it is there, it is admitted, and it is no other hub's; the
 * host hears of each coming and going once.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { FoundDevice, LiveDevice } from "../contract/driver.ts";
import type { Admission, Candidate } from "../host/admission.ts";
import { CLAIM_AGAIN_MS, type SharedHost } from "../host/session-claims.ts";
import { doneAtOnce, type Work } from "../turns/loop-turns.ts";
import { serviceNames } from "../values/described-services.ts";

/** A device as its driver sees it. */
export interface SeenDevice {
  /** As the host has it: another object when it describes itself otherwise. */
  readonly announced: LiveDevice;
  /** Whether it can be reached behind the link. */
  readonly isThere: boolean;
  /** It can hurt, or let somebody in, by a part that is of no standard class. */
  readonly isSensitive: boolean;
  /** The host has taken it. */
  arrive(): void;
  /** It has gone, or nothing is heard of it any more. */
  leave(): void;
}

export interface LinkDevicesDeps {
  readonly clock: Clock;
  readonly host: SharedHost;
  readonly admit: (candidate: Candidate) => Admission;
  /** Asks whose devices these are, all at once: each answer has all that wait looked at again. */
  readonly ask: (edgeIds: readonly string[]) => void;
  /** Called with the edgeIds of all admitted devices, before one of them arrives: for a link that must say which it listens to. */
  readonly admitted?: ((edgeIds: ReadonlySet<string>) => Work) | undefined;
}

/** Steps that it takes to announce a device, or its new description. */
const STEPS_OF_DEVICE = 10;
/** Devices that are seen and not had, as many as `status` names. */
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
  /** By edgeId, what forgets that the host is to say when it may be offered again. */
  readonly #refused = new Map<string, () => void>();
  #again: Timer | undefined;
  #isUp = false;

  constructor(deps: LinkDevicesDeps) {
    this.#deps = deps;
  }

  /** A device that the host has. */
  live(edgeId: string): D | undefined {
    return this.#live.has(edgeId) ? this.#devices.get(edgeId) : undefined;
  }

  /** All that are seen now, by edgeId: the same object for a device that was seen before. */
  see(seen: ReadonlyMap<string, D>): void {
    doneAtOnce(this.seeInTurns(seen));
  }

  /** The same in slices: what is not admitted any more has gone before the first ends. Its calls must not overlap. */
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

  /** The link is up: what is seen behind it can be had. */
  up(): void {
    doneAtOnce(this.upInTurns());
  }

  /** The same in slices. */
  *upInTurns(): Work {
    this.#isUp = true;
    this.#deps.ask([...this.#devices.keys()]);
    for (const edgeId of [...this.#devices.keys()]) {
      this.consider(edgeId);
      yield STEPS_OF_DEVICE;
    }
  }

  /** The link is down: all have gone. */
  down(): void {
    this.#isUp = false;
    this.#again?.cancel();
    this.#again = undefined;
    for (const edgeId of [...this.#refused.keys()]) this.#forgetRefusal(edgeId);
    for (const edgeId of [...this.#live.keys()]) this.#leave(edgeId);
  }

  /** These are another hub's. */
  yield(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      if (!this.#live.has(edgeId)) continue;
      this.#leave(edgeId);
      this.consider(edgeId);
    }
  }

  /** Lets it come or go, or be described otherwise, by what is known of it now. */
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

  /** Another hub may have let a device go. */
  #askAgain(): void {
    this.#again ??= this.#deps.clock.timer("devices that were refused", CLAIM_AGAIN_MS, () => {
      this.#again = undefined;
      for (const edgeId of [...this.#refused.keys()]) this.consider(edgeId);
    });
  }
}
