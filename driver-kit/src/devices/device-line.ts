/**
 * One place where a device is, or may be: connected to again and again, until it is a device that the hub may have. What a connection is
 * belongs to its driver (`connect`).
 *
 * Invariants: at most one connection at a time; a device is live only while its connection stands.
 */
import type { BackoffPolicy, Random } from "@porchlight/shared/kernel";
import type { Admission } from "../host/admission.ts";
import {
  type DevicePlace,
  type DeviceTrouble,
  type KnownDevice,
  type LineCandidate,
  LineConnection,
  type LineDevice,
  type LineState,
  SHARED_TROUBLES,
  type SharedTroubleKind,
} from "./line-connection.ts";
import type { OfferDeps } from "./offered-device.ts";
import { Retries } from "./retries.ts";

/** What a driver knows of its kind of device. */
export interface DeviceLineDeps<D extends LineDevice, T extends DeviceTrouble, P extends DevicePlace>
  extends OfferDeps {
  readonly random: Random;
  readonly backoff?: BackoffPolicy | undefined;
  /** One connection from its start to its end. @throws why there is none, or none any more */
  readonly connect: (connection: LineConnection<D, P>) => Promise<never>;
  readonly trouble: (kind: SharedTroubleKind, message: string) => T;
  /** What `connect` has thrown, for people. */
  readonly troubleOf: (failure: unknown, line: Pick<DeviceLine<D, T, P>, "place" | "known">) => T;
  /** That a device has not answered in time. */
  readonly noAnswer: () => Error;
  /** A fixed wait before it is tried again, ms; undefined: waits that grow. */
  readonly waitMs: (trouble: T) => number | undefined;
  /** A trouble is another than before. */
  readonly told: (place: P, trouble: T) => void;
}

/** What lines have in common: which device is whose. */
export interface LineOwners<L> {
  readonly admission: (candidate: LineCandidate) => Admission;
  /** Makes a device this line's own; false when another line has it. */
  readonly claim: (edgeId: string, line: L) => boolean;
  readonly release: (edgeId: string, line: L) => void;
}

export class DeviceLine<D extends LineDevice, T extends DeviceTrouble, P extends DevicePlace> {
  readonly place: P;
  /** Settles when it has ended: with the signal, or with its place. Never rejects. */
  readonly ended: Promise<void>;
  readonly #deps: DeviceLineDeps<D, T, P>;
  readonly #owners: LineOwners<DeviceLine<D, T, P>>;
  readonly #retries: Retries<T>;
  readonly #state: LineState<D> = { known: undefined, offered: undefined, close: undefined };

  constructor(place: P, deps: DeviceLineDeps<D, T, P>, owners: LineOwners<DeviceLine<D, T, P>>, signal: AbortSignal) {
    const { clock, random, backoff, waitMs, told } = deps;
    this.place = place;
    this.#deps = deps;
    this.#owners = owners;
    this.#retries = new Retries({
      ...{ clock, random, backoff, waitMs },
      goesOn: () => place.endpoint() !== undefined,
      once: (until, stands) => this.#once(until, stands),
      told: (trouble, isNews) => {
        if (isNews) told(place, trouble);
      },
    });
    this.ended = this.#retries.run(signal);
  }

  get known(): KnownDevice | undefined {
    return this.#state.known;
  }

  /** Why its device is not had; undefined while it is, and at first. */
  get trouble(): T | undefined {
    return this.#retries.reason;
  }

  get device(): D | undefined {
    return this.#state.offered?.device;
  }

  /** What people admit has changed: a device that waits for that is looked at, one that may not be had any more leaves. */
  reconsider(): void {
    const { device, trouble, place } = this;
    if (trouble?.awaitsAdmission) this.poke();
    if (!device) return;
    const { edgeId, announced, isSensitive = false } = device;
    const candidate = { edgeId, services: announced.description, isSensitive, isListed: place.isListed };
    if (this.#owners.admission(candidate) !== "admitted") this.#state.close?.();
  }

  /** Looks again at once, where it waits to. */
  poke(): void {
    this.#retries.poke();
  }

  /** How the next try ends. @throws the signal's reason */
  outcome(signal: AbortSignal): Promise<T | "connected"> {
    return this.#retries.outcome(signal);
  }

  yield(edgeIds: readonly string[]): void {
    const { offered } = this.#state;
    if (offered && edgeIds.includes(offered.device.edgeId)) offered.yield();
  }

  /** One connection from its start to its end; gives why there is none any more. Never rejects. */
  async #once(signal: AbortSignal, stands: () => void): Promise<T> {
    const endpoint = this.place.endpoint();
    if (!endpoint) return this.#deps.trouble(...SHARED_TROUBLES.not_announced);
    const { admission, claim, release } = this.#owners;
    const owners = {
      admission,
      claim: (edgeId: string) => claim(edgeId, this),
      release: (edgeId: string) => release(edgeId, this),
    };
    const { place } = this;
    using connection = new LineConnection({ ...this.#deps, ...owners, place, endpoint, signal, stands }, this.#state);
    try {
      return await this.#deps.connect(connection);
    } catch (failure) {
      return this.#deps.troubleOf(failure, this);
    }
  }
}
