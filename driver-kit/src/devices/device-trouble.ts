/**
 * Why the hub does not have a device that has a connection of its own: by name and in words. In a file of its own because drivers share
 * some of the reasons, and what follows from them.
 */

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
