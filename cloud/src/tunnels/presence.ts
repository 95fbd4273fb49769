/** The current state of a hub's connection: pure. A hub is `online` only while its tunnel's lease is live. */

export type ConnectionState = "online" | "offline" | "unknown";

/** A hub's connection as the API shows it. Times are wall-clock ms since 1970 UTC. */
export interface HubConnection {
  readonly state: ConnectionState;
  readonly since: number;
  readonly lastSeenAt?: number | undefined;
  readonly agentVersion?: string | undefined;
  /** Whether its agent stores scenes and runs their triggers; undefined until a connection has declared it. */
  readonly storesScenes?: boolean | undefined;
  /** Why it is not connected: a close reason, or `lost`. */
  readonly reason?: string | undefined;
  readonly roundTripMs?: number | undefined;
  readonly clockSkewMs?: number | undefined;
  readonly reconnects24h?: number | undefined;
  readonly queuedReports?: number | undefined;
}

/** What presence needs of a tunnel of this node. */
export interface LiveSign {
  /** Since when it has been live without interruption. */
  readonly openedAt: number;
  readonly lastHeardAt: number;
  readonly agentVersion: string;
  readonly storesScenes: boolean;
  readonly roundTripMs: number | undefined;
  readonly clockSkewMs: number | undefined;
  readonly reconnects24h: number;
  readonly queuedReports: number;
}

/** How a tunnel of this process ended; kept until its `hub.offline` is written. */
export interface EndSign {
  readonly closedAt: number;
  readonly lastHeardAt: number;
  readonly reason: string;
}

/** What presence needs of the client's row. */
export interface StoredSign {
  /** 1 when the last presence event was `hub.online`. */
  readonly online: number;
  /** Time of that event; null before the first connection. */
  readonly online_since: number | null;
  /** While the newest tunnel is open, the time of its opening: heartbeats are not written. Null when no node observed its end. */
  readonly last_seen_at: number | null;
  readonly agent_version: string | null;
  readonly stores_scenes: number | null;
  /** Why the newest tunnel ended; null while it is open, and when no node observed its end. */
  readonly reason: string | null;
  readonly created_at: number;
  /** The live node that holds its newest tunnel, by the database. */
  readonly held_by: string | null;
  /** When its newest tunnel was closed. */
  readonly ended_at: number | null;
}

export interface PresenceSigns {
  /** The client's tunnel on this node. */
  readonly tunnel: LiveSign | undefined;
  /** Whether its lease is live. A tunnel with an expired lease is closed at the next sweep, or renews it after a stall of this process. */
  readonly isLive: boolean;
  /** How its tunnel on this node ended; `stored` may have been read before that was written. */
  readonly ended: EndSign | undefined;
  readonly stored: StoredSign;
  /** Whether another node that is known to be alive holds its newest tunnel. */
  readonly elsewhere: boolean;
  /** When this process started. */
  readonly startedAt: number;
}

/** Close reason of a tunnel whose node stopped or lost its lease: the hub is expected back and is not reported offline. */
const STOPPED = "restart";

/** `since` and `lastSeenAt` never go back from one answer to the next; unknown values are omitted. */
export function hubConnection(signs: PresenceSigns): HubConnection {
  const { tunnel, isLive, stored, elsewhere, startedAt } = signs;
  const agent = agentOf(stored);
  if (tunnel) {
    const { openedAt, lastHeardAt, ...reported } = tunnel;
    if (isLive) return { state: "online", since: openedAt, lastSeenAt: lastHeardAt, ...reported };
    const { agentVersion, storesScenes } = reported;
    return {
      state: "unknown",
      since: Math.max(openedAt, lastHeardAt),
      lastSeenAt: lastHeardAt,
      agentVersion,
      storesScenes,
    };
  }
  const openedAt = standingSince(stored);
  // Only the node with the tunnel knows when the hub's last message arrived.
  if (elsewhere) return { state: "online", since: openedAt ?? stored.online_since ?? stored.created_at, ...agent };
  const end = newestEnd(signs);
  if (end) {
    const { closedAt: since, lastHeardAt, reason } = end;
    const state = reason === STOPPED ? "unknown" : "offline";
    return { state, since, lastSeenAt: lastHeardAt, ...agent, reason };
  }
  const lastSeenAt = openedAt === undefined ? (stored.last_seen_at ?? undefined) : undefined;
  // Online in the log without an observed end: the node that held the tunnel died.
  if (stored.online === 1) {
    const since = Math.max(startedAt, openedAt ?? 0, stored.ended_at ?? 0);
    return { state: "unknown", since, lastSeenAt, ...agent };
  }
  return {
    state: "offline",
    since: stored.online_since ?? stored.created_at,
    lastSeenAt,
    ...agent,
    reason: stored.reason ?? undefined,
  };
}

/** When the newest tunnel was opened, if it is open by the row. */
export function standingSince({
  online,
  reason,
  last_seen_at,
}: Pick<StoredSign, "online" | "reason" | "last_seen_at">): number | undefined {
  return online === 1 && reason === null ? (last_seen_at ?? undefined) : undefined;
}

/** The observed end of the newest tunnel: by this process, or by the node that wrote it. */
function newestEnd({ ended, stored }: PresenceSigns): EndSign | undefined {
  const { online, online_since, last_seen_at, ended_at, reason } = stored;
  const written =
    online === 1 && ended_at !== null && reason !== null && reason !== STOPPED
      ? { closedAt: ended_at, lastHeardAt: last_seen_at ?? ended_at, reason }
      : undefined;
  // The row has a later connection of the hub, or a later `hub.offline`.
  const stands = online === 1 ? (ended_at ?? standingSince(stored)) : online_since;
  return ended && ended.closedAt >= (stands ?? 0) ? ended : written;
}

/** What the hub's newest connection declared about its agent. */
export function agentOf({ agent_version, stores_scenes }: Pick<StoredSign, "agent_version" | "stores_scenes">) {
  return {
    agentVersion: agent_version ?? undefined,
    storesScenes: stores_scenes === null ? undefined : stores_scenes === 1,
  };
}

/** When the end of a tunnel becomes an event: at once when its lease expired, else after the debounce. Monotonic ms. */
export function offlineDue(reason: string, closedAt: number, offlineAfterMs: number): number {
  return reason === "lease_expired" ? closedAt : closedAt + offlineAfterMs;
}
