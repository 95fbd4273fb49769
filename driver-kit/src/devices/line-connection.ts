/**
 * One connection of a line, from its start to its end: the steps of which a driver makes it. Apart from the line, which outlives it.
 *
 * Invariant: whatever a step has begun ends with the connection: a claim, an offer, what was opened.
 */
import { deadline } from "@porchlight/shared/kernel";
import type { DeviceAbout } from "@porchlight/shared/model";
import type { Admission, Candidate } from "../host/admission.ts";
import { type OfferableDevice, type OfferDeps, OfferedDevice } from "./offered-device.ts";

/** What a line keeps from one connection to the next, and of the one that stands. */
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
  /** Called when the device can be had. */
  readonly stands: () => void;
  readonly trouble: (kind: SharedTroubleKind, message: string) => Error;
  readonly noAnswer: () => Error;
  readonly admission: (candidate: LineCandidate) => Admission;
  readonly claim: (edgeId: string) => boolean;
  readonly release: (edgeId: string) => void;
}

/** How long one step of opening a connection may take, ms. */
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

  /** While the device is offered to the host. */
  get device(): D | undefined {
    return this.#state.offered?.device;
  }

  /** What is known of its device from now on. */
  note(known: KnownDevice): void {
    this.#state.known = known;
  }

  /** @throws what the work throws; `noAnswer` when it takes too long; the signal's reason */
  async timely<R>(work: (until: AbortSignal) => Promise<R>): Promise<R> {
    const { clock, signal, noAnswer } = this.#deps;
    const until = deadline(clock, "device to answer", OPENING_MS, { signal, reason: noAnswer });
    try {
      return await work(until.signal);
    } finally {
      until.end();
    }
  }

  /** Has something closed with the signal, with a device that may not be had any more, and by {@link Disposable}. */
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

  /** Makes a device this line's own, to the end. @throws trouble when another line has it */
  claim(edgeId: string): void {
    if (!this.#deps.claim(edgeId)) throw this.#deps.trouble(...SHARED_TROUBLES.reached_otherwise);
    this.#claimed.add(edgeId);
  }

  standing(candidate: Omit<LineCandidate, "isListed">): Admission {
    return this.#deps.admission({ ...candidate, isListed: this.place.isListed });
  }

  /** Whether somebody has admitted just this device. */
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

  /** The device is offered to the host until its connection has ended. @throws why it has */
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

  /** Its device describes itself otherwise than before. */
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

// Where a device with a connection of its own is looked for, and what is known of it. Apart from the lines, so that their parts share it.

/** Where a device is looked for. */
export interface DevicePlace {
  /** For people, and for logs: the address that the settings name, or the name that is announced. */
  readonly name: string;
  /** Its address now; undefined when it is not announced any more: the line ends with its connection. */
  readonly endpoint: () => { readonly host: string; readonly port: number } | undefined;
  /** Somebody has named it in the settings: that admits it as `all` would. */
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
  /** It can hurt, or let somebody in, by a part that is of no standard class; left out: it cannot. */
  readonly isSensitive?: boolean;
}

export interface LineCandidate extends Candidate {
  readonly isListed: boolean;
}

// Why the hub does not have a device that has a connection of its own: by name and in words. In a file of its own because drivers share
// some of the reasons, and what follows from them.

/** The reasons of every such driver. */
export type SharedTroubleKind =
  | "not_reached"
  | "not_admitted"
  /** It is admitted by its own edgeId only. */
  | "awaits_admission"
  /** The hub reaches it at another address, or it connects to the hub by itself. */
  | "reached_otherwise";

/** Thrown where a device cannot be had; the message is a sentence for people. */
export abstract class DeviceTrouble<K extends string = string> extends Error {
  readonly kind: K;

  constructor(kind: K, message: string) {
    super(message);
    this.kind = kind;
  }

  /** What people can do about it, in a sentence; undefined: they need to do nothing. */
  abstract get cure(): string | undefined;

  /** Whether it ends when a person admits the device. */
  get awaitsAdmission(): boolean {
    return this.kind === "not_admitted" || this.kind === "awaits_admission";
  }
}

/** What the kit finds out by itself, in words. */
export const SHARED_TROUBLES = {
  not_announced: ["not_reached", "It is not announced any more."],
  not_admitted: ["not_admitted", "It is not admitted."],
  awaits_admission: ["awaits_admission", "It must be admitted by its own edgeId."],
  reached_otherwise: ["reached_otherwise", "The hub already reaches it at another address."],
} as const satisfies Readonly<Record<string, readonly [SharedTroubleKind, string]>>;

/** Nothing to tell people: the device is as they want it, or is listed as one that awaits them. */
export const QUIET_TROUBLES: readonly SharedTroubleKind[] = ["not_admitted", "awaits_admission", "reached_otherwise"];

/** How often it is tried what only a person can change, ms. */
export const LASTING_TROUBLE_MS = 300_000;
