/** Which devices of a shared network the hub may have: what its owner has admitted, all at once or one by one. */
import type { DeviceDescription } from "@porchlight/shared/model";

export interface Admit {
  /** All that need no admission of their own. */
  readonly all: boolean;
  readonly edgeIds: ReadonlySet<string>;
}

/** What people have admitted one by one while the hub runs, beside what the settings admit. */
export interface Admissions {
  isAdmitted(edgeId: string): boolean;
  /** Calls `changed` after each change, until the returned function is called. */
  listen(changed: () => void): () => void;
}

/** `awaiting`: it has a service that must be admitted one by one. `notAdmitted`: it was never asked for. */
export type Admission = "admitted" | "awaiting" | "notAdmitted";

/** What a driver knows of a device before it is had. */
export interface Candidate {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  /** It can hurt, or let somebody in, by a part that is of no standard class: a garage door, a siren. */
  readonly isSensitive: boolean;
}

/** Services with which a device can hurt, or let somebody in: it is admitted by its own edgeId, and not with all others. */
const ONE_BY_ONE: ReadonlySet<string> = new Set(["Lock", "Valve"]);

/** @param people what people have admitted beside the settings */
export function admission(
  { all, edgeIds }: Admit,
  { edgeId, services, isSensitive }: Candidate,
  people?: Pick<Admissions, "isAdmitted">,
): Admission {
  if (edgeIds.has(edgeId) || people?.isAdmitted(edgeId)) return "admitted";
  if (!all) return "notAdmitted";
  return isSensitive || services.some(({ service }) => ONE_BY_ONE.has(service)) ? "awaiting" : "admitted";
}
