/** Which devices of a shared network the hub may use: those that its owner has admitted, all at once or one by one. */
import type { DeviceDescription } from "@porchlight/shared/model";

export interface Admit {
  /** All devices that need no admission of their own. */
  readonly all: boolean;
  readonly edgeIds: ReadonlySet<string>;
}

/** Devices that people have admitted one by one while the hub runs, in addition to the settings. */
export interface Admissions {
  isAdmitted(edgeId: string): boolean;
  /** Calls `changed` after each change, until the returned function is called. */
  listen(changed: () => void): () => void;
}

/** `awaiting`: it has a service that must be admitted individually. `notAdmitted`: its admission was never requested. */
export type Admission = "admitted" | "awaiting" | "notAdmitted";

/** What a driver knows of a device before the hub uses it. */
export interface Candidate {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  /** The device can cause injury or let a person in, by a part of no standard class: a garage door, a siren. */
  readonly isSensitive: boolean;
}

/**
 * Services with which a device can cause injury or let a person in: such a device is admitted by its own edgeId, not together with all
 * others.
 */
const ONE_BY_ONE: ReadonlySet<string> = new Set(["Lock", "Valve"]);

/** @param people devices that people have admitted in addition to the settings */
export function admission(
  { all, edgeIds }: Admit,
  { edgeId, services, isSensitive }: Candidate,
  people?: Pick<Admissions, "isAdmitted">,
): Admission {
  if (edgeIds.has(edgeId) || people?.isAdmitted(edgeId)) return "admitted";
  if (!all) return "notAdmitted";
  return isSensitive || services.some(({ service }) => ONE_BY_ONE.has(service)) ? "awaiting" : "admitted";
}
