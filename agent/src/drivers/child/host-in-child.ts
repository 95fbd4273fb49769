/**
 * The host that a driver in a child sees.
 *
 * `arrived` answers at once, as the contract requires: first `later`, while the agent is asked; then the agent's answer. A device that
 * the agent has granted is reserved for the driver for a while, and given back if the driver does not ask for it again.
 *
 * Pushed values wait here until the agent has stored the earlier ones: the newest value of each property, and every event. They are
 * lost when the child ends.
 */
import {
  type Arrival,
  allows,
  type LiveDevice,
  type Observation,
  PushQueue,
  type SharedHost,
} from "@porchlight/driver-kit";
import type { Clock, Log, Random, Timer } from "@porchlight/shared/kernel";
import { findProperty } from "@porchlight/shared/model";
import { liveDevice } from "./message-parts.ts";
import type { FromChild, ToChildOf } from "./messages.ts";
import type { Questions } from "./questions.ts";

export interface HostInChildDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly send: (message: FromChild) => void;
  readonly questions: Questions;
}

interface Offer {
  readonly number: number;
  /** The description that the agent received last. */
  device: LiveDevice;
  /** `taken`: the driver has received the permission. */
  stands: "asked" | "refused" | "granted" | "taken";
  /** The time of the last change, monotonic ms. */
  since: number;
}

const SWEEP_MS = 10_000;
/** How long a driver may take to ask again for a granted device, ms. */
const GRANT_MS = 10_000;
/** How long a device is remembered without a waiting call, ms. */
const INTEREST_MS = 60_000;

export class HostInChild implements SharedHost {
  readonly log: Log;
  readonly #deps: HostInChildDeps;
  readonly #offers = new Map<string, Offer>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #pushes: PushQueue;
  #number = 0;
  #sweep: Timer | undefined;
  #isOver = false;

  constructor(deps: HostInChildDeps) {
    this.#deps = deps;
    this.log = deps.log;
    this.#pushes = new PushQueue({ ...deps, report: (report) => this.#push(report) });
  }

  arrived(device: LiveDevice): Arrival {
    if (this.#isOver) return "refused";
    const { edgeId } = device;
    const offer = this.#offers.get(edgeId);
    switch (offer?.stands) {
      case "taken":
        return "refused";
      case "granted":
        offer.stands = "taken";
        if (!sameAs(offer.device, device)) this.described(device);
        return "admitted";
      case "refused":
        offer.since = this.#deps.clock.monotonic();
        if (!sameAs(offer.device, device)) this.#offer(device);
        return "refused";
      case "asked":
        offer.since = this.#deps.clock.monotonic();
        if (!sameAs(offer.device, device)) this.#offer(device);
        return "later";
      case undefined:
        return this.#offer(device) ? "later" : "refused";
    }
  }

  described(device: LiveDevice): void {
    const offer = this.#offers.get(device.edgeId);
    if (!offer || !this.#isSound(device)) return;
    offer.device = device;
    this.#deps.send({ type: "described", device: mutable(device) });
  }

  opened(transport: string): void {
    this.#deps.send({ type: "opened", transport: transport.slice(0, 256) });
  }

  left(edgeId: string): void {
    if (this.#offers.get(edgeId)?.stands !== "taken") return;
    this.#offers.delete(edgeId);
    this.#deps.send({ type: "left", edgeId });
    this.#tell(edgeId);
  }

  reported(...[report, source]: Parameters<SharedHost["reported"]>): ReturnType<SharedHost["reported"]> {
    return this.#deps.questions.reported(report, source);
  }

  async pushed(...[observation]: Parameters<SharedHost["pushed"]>): ReturnType<SharedHost["pushed"]> {
    const described = findProperty(this.#offers.get(observation.device)?.device.description ?? [], observation);
    return described ? this.#pushes.push(observation, !allows(described, "read")) : "refused";
  }

  learned(...[observation]: Parameters<SharedHost["learned"]>): Promise<void> {
    return this.#deps.questions.learned(observation);
  }

  unread(device: string, { service, index, property }: Parameters<SharedHost["unread"]>[1]): void {
    this.#deps.send({ type: "unread", device, service, index, property });
  }

  forgetReports(node: string): void {
    this.#deps.send({ type: "forget_reports", node });
  }

  whenFree(edgeId: string, taken: () => void): () => void {
    const calls = this.#waiting.get(edgeId) ?? new Set();
    calls.add(taken);
    this.#waiting.set(edgeId, calls);
    return () => {
      calls.delete(taken);
      if (calls.size === 0 && this.#waiting.get(edgeId) === calls) this.#waiting.delete(edgeId);
    };
  }

  /** The agent grants the device to the driver. */
  granted({ edgeId, offer: number }: ToChildOf<"granted">): void {
    const offer = this.#offers.get(edgeId);
    // The device has been given back meanwhile, or is taken already.
    if (offer?.number !== number || offer.stands === "taken") return;
    offer.stands = "granted";
    offer.since = this.#deps.clock.monotonic();
    this.#tell(edgeId);
  }

  /** The agent refuses the device: it belongs to another link. */
  refused({ edgeId, offer: number }: ToChildOf<"refused">): void {
    const offer = this.#offers.get(edgeId);
    if (offer?.number === number && offer.stands === "asked") offer.stands = "refused";
  }

  /** Stops all timers. */
  end(): void {
    this.#isOver = true;
    this.#pushes[Symbol.dispose]();
    this.#sweep?.cancel();
    this.#waiting.clear();
  }

  /** The agent keeps an accepted value, even if a later value has replaced it. */
  async #push(observation: Observation): Promise<"stored" | "busy" | "refused"> {
    const result = await this.#deps.questions.pushed(observation);
    return result === "replaced" ? "stored" : result;
  }

  /** Calls the callbacks that wait for a device to become free. */
  #tell(edgeId: string): void {
    const calls = this.#waiting.get(edgeId);
    this.#waiting.delete(edgeId);
    for (const taken of calls ?? []) taken();
  }

  #offer(device: LiveDevice): boolean {
    if (!this.#isSound(device)) return false;
    this.#number += 1;
    const since = this.#deps.clock.monotonic();
    this.#offers.set(device.edgeId, { number: this.#number, device, stands: "asked", since });
    this.#deps.send({ type: "offered", offer: this.#number, device: mutable(device) });
    this.#sweepLater();
    return true;
  }

  /** Whether the agent would accept the device; an invalid message would end the whole driver. */
  #isSound(device: LiveDevice): boolean {
    const parsed = liveDevice.safeParse(device);
    if (parsed.success) return true;
    const where = parsed.error.issues[0]?.path.join(".");
    this.log.error({ device: device.edgeId, where }, "a driver sent an invalid description of a device");
    return false;
  }

  #sweepLater(): void {
    this.#sweep ??= this.#deps.clock.timer("devices that nobody waits for", SWEEP_MS, () => {
      this.#sweep = undefined;
      for (const [edgeId, offer] of [...this.#offers]) this.#forgetIfUnwanted(edgeId, offer);
      if ([...this.#offers.values()].some(({ stands }) => stands !== "taken")) this.#sweepLater();
    });
  }

  #forgetIfUnwanted(edgeId: string, { stands, since }: Offer): void {
    if (stands === "taken" || this.#waiting.has(edgeId)) return;
    const age = this.#deps.clock.monotonic() - since;
    if (age < (stands === "granted" ? GRANT_MS : INTEREST_MS)) return;
    this.#offers.delete(edgeId);
    this.#deps.send({ type: "withdrawn", edgeId });
  }
}

function sameAs(a: LiveDevice, b: LiveDevice): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Converts the device to the channel's own type. */
function mutable(device: LiveDevice): (FromChild & { readonly type: "described" })["device"] {
  return liveDevice.parse(device);
}
