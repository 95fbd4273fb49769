/** Which devices of a shared network the hub may have: what its owner has admitted, all at once or one by one. */
import type { DeviceDescription } from "@porchlight/shared/model";

export interface Admit {
  /** All that need no admission of their own. */
  readonly all: boolean;
  readonly edgeIds: ReadonlySet<string>;
}

/** `awaiting`: it has a service that must be admitted one by one. `notAdmitted`: it was never asked for. */
export type Admission = "admitted" | "awaiting" | "notAdmitted";

/** Services with which a device can hurt, or let somebody in: it is admitted by its own edgeId, and not with all others. */
const ONE_BY_ONE: ReadonlySet<string> = new Set(["Lock", "Valve", "GarageDoor", "Siren", "AlarmPanel"]);

export function admission({ all, edgeIds }: Admit, edgeId: string, services: DeviceDescription): Admission {
  if (edgeIds.has(edgeId)) return "admitted";
  if (!all) return "notAdmitted";
  return services.some(({ service }) => ONE_BY_ONE.has(service)) ? "awaiting" : "admitted";
}
