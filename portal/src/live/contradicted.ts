/** Whether an error still says what is so: what a later answer of the service contradicts must not stand beside it. Pure. */

/** What the service answered last of a device. */
export interface LaterAnswer {
  /** When it came, ms since 1970 of this computer's clock. */
  readonly at: number;
  /** Of the device; undefined of one that has no connection. */
  readonly state: "online" | "offline" | "unknown" | undefined;
}

/** They say that the device, or the hub before it, cannot be reached. */
const OF_REACH: ReadonlySet<string> = new Set(["Hub Offline", "Device Unreachable"]);
/** They say that the service itself cannot be reached, or cannot answer. */
const OF_SERVICE: ReadonlySet<string> = new Set(["Connection Failed", "Timed Out", "Service Unavailable"]);

export function isOfReach(name: string): boolean {
  return OF_REACH.has(name);
}

/** @param name of the error @param at when it came, ms since 1970 of this computer's clock */
export function isContradicted(name: string, at: number, later: LaterAnswer): boolean {
  if (later.at <= at) return false;
  return OF_SERVICE.has(name) || (OF_REACH.has(name) && later.state === "online");
}
