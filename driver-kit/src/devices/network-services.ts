/** Services of the home network as a driver sees them: what is announced by multicast DNS, whoever listens for it. */

/** A service that is announced on the network (RFC 6763). */
export interface NetworkService {
  readonly instance: string;
  readonly address: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

/** Why announcements do not reach the hub, or may not. */
export interface NetworkTrouble {
  /** `cannot_listen`: there is no interface, or no socket. `nothing_announced`: nobody has announced anything, of any type, for minutes. */
  readonly why: "cannot_listen" | "nothing_announced";
  /** A sentence for people. */
  readonly says: string;
  /** What they can do. */
  readonly cure: string;
}

/** Services of one type, as they are announced now. */
export interface NetworkServices {
  current(): readonly NetworkService[];
  subscribe(listener: () => void): Disposable;
  /** Left out where nobody can tell. */
  trouble?(): NetworkTrouble | undefined;
}

/** What a driver tells of the network that it finds its devices on: nothing while it has some, since then it does not need announcements. */
export function networkTroubles(services: NetworkServices | undefined, hasDevices: boolean): readonly NetworkTrouble[] {
  const trouble = hasDevices ? undefined : services?.trouble?.();
  return trouble ? [trouble] : [];
}
