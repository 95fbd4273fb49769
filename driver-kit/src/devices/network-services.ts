/** Services of the home network as a driver sees them: announced by multicast DNS, independent of the browser that receives them. */

/** A service that is announced on the network (RFC 6763). */
export interface NetworkService {
  readonly instance: string;
  readonly address: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

/** Why announcements do not, or may not, reach the hub. */
export interface NetworkTrouble {
  /** `cannot_listen`: there is no interface, or no socket. `nothing_announced`: no announcement of any type has come for minutes. */
  readonly why: "cannot_listen" | "nothing_announced";
  /** A sentence for people. */
  readonly says: string;
  /** What people can do about it. */
  readonly cure: string;
}

/** Services of one type that are announced now. */
export interface NetworkServices {
  current(): readonly NetworkService[];
  subscribe(listener: () => void): Disposable;
  /** Absent when the trouble cannot be determined. */
  trouble?(): NetworkTrouble | undefined;
}

/**
 * A driver's troubles with the network on which it discovers its devices; none while it has devices, since then it does not need
 * announcements.
 */
export function networkTroubles(services: NetworkServices | undefined, hasDevices: boolean): readonly NetworkTrouble[] {
  const trouble = hasDevices ? undefined : services?.trouble?.();
  return trouble ? [trouble] : [];
}
