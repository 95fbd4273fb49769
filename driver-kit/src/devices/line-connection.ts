/**
 * One connection of a line, from its start to its end: the steps that a driver's `connect` consists of. Apart from the line, which
 * outlives it.
 *
 * Invariant: everything that a step has begun ends with the connection: a claim, an offer, an opened socket.
 */
import { deadline } from "@porchlight/shared/kernel";
import type { DeviceAbout } from "@porchlight/shared/model";
import type { Admission, Candidate } from "../host/admission.ts";
import { type OfferableDevice, type OfferDeps, OfferedDevice } from "./offered-device.ts";

/** What a line keeps from one connection to the next, and the state of the current connection. */
export interface LineState<D extends LineDevice> {
  known: KnownDevice | undefined;
  offered: OfferedDevice<D> | undefined;
  /** Ends the connection. */
  close: (() => void) | undefined;
}

export interface LineConnectionDeps<P extends DevicePlace> extends OfferDeps {
  readonly place: P;
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly signal: AbortSignal;
  /** Called when the device can be used. */
  readonly stands: () => void;
  readonly trouble: (kind: SharedTroubleKind, message: string) => Error;
  readonly noAnswer: () => Error;
  readonly admission: (candidate: LineCandidate) => Admission;
  readonly claim: (edgeId: string) => boolean;
  readonly release: (edgeId: string) => void;
}

/** Maximum duration of one step of opening a connection, ms. */
const OPENING_MS = 10_000;

export class LineConnection<D extends LineDevice, P extends DevicePlace> implements Disposable {
  readonly place: P;
  readonly endpoint: LineConnectionDeps<P>["endpoint"];
  readonly #deps: LineConnectionDeps<P>;
  readonly #state: LineState<D>;
  readonly #claimed = new Set<string>();

  constructor(deps: LineConnectionDeps<P>, state: LineState<D>) {
    this.place = deps.place;
    this.endpoint = deps.endpoint;
    this.#deps = deps;
    this.#state = state;
  }

  get known(): KnownDevice | undefined {
    return this.#state.known;
  }

  /** The device, while it is offered to the host. */
  get device(): D | undefined {
    return this.#state.offered?.device;
  }

  /** Records what is known of the device from now on. */
  note(known: KnownDevice): void {
    this.#state.known = known;
  }

  /** Runs one step of the connection. @throws the error of `work`; `noAnswer` when it takes too long; the signal's reason */
  async timely<R>(work: (until: AbortSignal) => Promise<R>): Promise<R> {
    const { clock, signal, noAnswer } = this.#deps;
    const until = deadline(clock, "device to answer", OPENING_MS, { signal, reason: noAnswer });
    try {
      return await work(until.signal);
    } finally {
      until.end();
    }
  }

  /** Calls `close` when the signal is aborted, when the device is no longer admitted, and when the result is disposed of. */
  closing(close: () => void): Disposable {
    const { signal } = this.#deps;
    const state = this.#state;
    signal.addEventListener("abort", close, { once: true });
    state.close = close;
    return {
      [Symbol.dispose]: () => {
        signal.removeEventListener("abort", close);
        state.close = undefined;
        close();
      },
    };
  }

  /** Makes this line the owner of a device until the connection ends. @throws trouble when another line owns it */
  claim(edgeId: string): void {
    if (!this.#deps.claim(edgeId)) throw this.#deps.trouble(...SHARED_TROUBLES.reached_otherwise);
    this.#claimed.add(edgeId);
  }

  standing(candidate: Omit<LineCandidate, "isListed">): Admission {
    return this.#deps.admission({ ...candidate, isListed: this.place.isListed });
  }

  /** Whether a person has admitted this device individually. */
  isChosen(edgeId: string): boolean {
    const candidate = { edgeId, services: [], isSensitive: true, isListed: false };
    return this.#deps.admission(candidate) === "admitted";
  }

  /** @throws trouble */
  admit(candidate: Omit<LineCandidate, "isListed">): void {
    const standing = this.standing(candidate);
    if (standing === "notAdmitted") throw this.#deps.trouble(...SHARED_TROUBLES.not_admitted);
    if (standing === "awaiting") throw this.#deps.trouble(...SHARED_TROUBLES.awaits_admission);
  }

  /** Offers the device to the host until its connection has ended. @throws why it has ended */
  async live(device: D, closed: Promise<unknown>): Promise<never> {
    this.#state.offered = new OfferedDevice(device, this.#deps);
    this.#deps.stands();
    try {
      throw await closed;
    } finally {
      this.#state.offered[Symbol.dispose]();
      this.#state.offered = undefined;
    }
  }

  /** The device's description has changed. */
  redescribed(describe: (device: D) => void): void {
    const { offered } = this.#state;
    if (!offered) return;
    describe(offered.device);
    offered.redescribed();
  }

  [Symbol.dispose](): void {
    for (const edgeId of this.#claimed) this.#deps.release(edgeId);
  }
}

/** A place where the hub looks for a device. */
export interface DevicePlace {
  /** The address in the settings, or the announced name; for people and logs. */
  readonly name: string;
  /** The current address; undefined when it is no longer announced: the line then ends with its connection. */
  readonly endpoint: () => { readonly host: string; readonly port: number } | undefined;
  /** The settings name the place: that admits its device as `all` would. */
  readonly isListed: boolean;
}

/** What is known of the device of a line. */
export interface KnownDevice {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  /** As far as it has been described. */
  readonly services: readonly string[];
}

export interface LineDevice extends OfferableDevice {
  /** The device can cause injury or let a person in, by a part of no standard class; absent: it cannot. */
  readonly isSensitive?: boolean;
}

export interface LineCandidate extends Candidate {
  readonly isListed: boolean;
}

/** The reasons that all drivers with a connection for each device share. */
export type SharedTroubleKind =
  | "not_reached"
  | "not_admitted"
  /** It is admitted only by its own edgeId. */
  | "awaits_admission"
  /** The hub reaches it at another address, or it connects to the hub by itself. */
  | "reached_otherwise";

/** Why the hub does not use a device, by name and in words; the message is a sentence for people. */
export abstract class DeviceTrouble<K extends string = string> extends Error {
  readonly kind: K;

  constructor(kind: K, message: string) {
    super(message);
    this.kind = kind;
  }

  /** What people can do about it, in a sentence; undefined: nothing is needed. */
  abstract get cure(): string | undefined;

  /** Whether the trouble ends when a person admits the device. */
  get awaitsAdmission(): boolean {
    return this.kind === "not_admitted" || this.kind === "awaits_admission";
  }
}

/** Troubles that the kit itself detects, in words. */
export const SHARED_TROUBLES = {
  not_announced: ["not_reached", "It is not announced any more."],
  not_admitted: ["not_admitted", "It is not admitted."],
  awaits_admission: ["awaits_admission", "It must be admitted by its own edgeId."],
  reached_otherwise: ["reached_otherwise", "The hub already reaches it at another address."],
} as const satisfies Readonly<Record<string, readonly [SharedTroubleKind, string]>>;

/** Troubles that need no message to people: the device is as they want it, or is listed among those that await admission. */
export const QUIET_TROUBLES: readonly SharedTroubleKind[] = ["not_admitted", "awaits_admission", "reached_otherwise"];

/** Interval between tries when only a person can change the reason, ms. */
export const LASTING_TROUBLE_MS = 300_000;
