/**
 * One place where a device is, or may be. The line connects to it again and again, until it finds a device that the hub may use. The
 * driver defines what a connection is (`connect`).
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

/** What a driver provides for its kind of device. */
export interface DeviceLineDeps<D extends LineDevice, T extends DeviceTrouble, P extends DevicePlace>
  extends OfferDeps {
  readonly random: Random;
  readonly backoff?: BackoffPolicy | undefined;
  /** Runs one connection from its start to its end. @throws why it failed or ended */
  readonly connect: (connection: LineConnection<D, P>) => Promise<never>;
  readonly trouble: (kind: SharedTroubleKind, message: string) => T;
  /** Turns an error of `connect` into a trouble, for people. */
  readonly troubleOf: (failure: unknown, line: Pick<DeviceLine<D, T, P>, "place" | "known">) => T;
  /** The error for a device that has not answered in time. */
  readonly noAnswer: () => Error;
  /** A fixed wait before the next try, ms; undefined: waits that grow. */
  readonly waitMs: (trouble: T) => number | undefined;
  /** Called when the trouble differs from the previous one. */
  readonly troubleChanged: (place: P, trouble: T) => void;
}

/** What lines share: which line owns which device. */
export interface LineOwners<L> {
  readonly admission: (candidate: LineCandidate) => Admission;
  /** Makes this line the owner of a device; false when another line owns it. */
  readonly claim: (edgeId: string, line: L) => boolean;
  readonly release: (edgeId: string, line: L) => void;
}

export class DeviceLine<D extends LineDevice, T extends DeviceTrouble, P extends DevicePlace> {
  readonly place: P;
  /** Settles when the line has ended: with the signal, or with its place. Never rejects. */
  readonly ended: Promise<void>;
  readonly #deps: DeviceLineDeps<D, T, P>;
  readonly #owners: LineOwners<DeviceLine<D, T, P>>;
  readonly #retries: Retries<T>;
  readonly #state: LineState<D> = { known: undefined, offered: undefined, close: undefined };

  constructor(place: P, deps: DeviceLineDeps<D, T, P>, owners: LineOwners<DeviceLine<D, T, P>>, signal: AbortSignal) {
    const { clock, random, backoff, waitMs, troubleChanged } = deps;
    this.place = place;
    this.#deps = deps;
    this.#owners = owners;
    this.#retries = new Retries({
      ...{ clock, random, backoff, waitMs },
      goesOn: () => place.endpoint() !== undefined,
      once: (until, stands) => this.#once(until, stands),
      ended: (trouble, isNews) => {
        if (isNews) troubleChanged(place, trouble);
      },
    });
    this.ended = this.#retries.run(signal);
  }

  get known(): KnownDevice | undefined {
    return this.#state.known;
  }

  /** Why the line has no device; undefined while it has one, and at first. */
  get trouble(): T | undefined {
    return this.#retries.reason;
  }

  get device(): D | undefined {
    return this.#state.offered?.device;
  }

  /** Admissions have changed: a line whose device waits for admission tries again, and a line whose device is no longer admitted closes. */
  reconsider(): void {
    const { device, trouble, place } = this;
    if (trouble?.awaitsAdmission) this.poke();
    if (!device) return;
    const { edgeId, announced, isSensitive = false } = device;
    const candidate = { edgeId, services: announced.description, isSensitive, isListed: place.isListed };
    if (this.#owners.admission(candidate) !== "admitted") this.#state.close?.();
  }

  /** Ends a wait for the next try at once. */
  poke(): void {
    this.#retries.poke();
  }

  /** The result of the next try. @throws the signal's reason */
  outcome(signal: AbortSignal): Promise<T | "connected"> {
    return this.#retries.outcome(signal);
  }

  yield(edgeIds: readonly string[]): void {
    const { offered } = this.#state;
    if (offered && edgeIds.includes(offered.device.edgeId)) offered.yield();
  }

  /** One connection from its start to its end; resolves with the reason why it ended. Never rejects. */
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
