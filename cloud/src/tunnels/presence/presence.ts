/** What is known now of a hub's connection: pure; `online` means that its tunnel's lease is live, and nothing else does. */

export type ConnectionState = "online" | "offline" | "unknown";

/** A hub's connection as the API shows it. Times are wall-clock ms since 1970 UTC. */
export interface HubConnection {
  readonly state: ConnectionState;
  readonly since: number;
  readonly lastSeenAt?: number | undefined;
  readonly agentVersion?: string | undefined;
  /** Whether its agent stores scenes and carries out their triggers; undefined while no connection has said so. */
  readonly storesScenes?: boolean | undefined;
  /** Why it is not connected: a close reason, or `lost`. */
  readonly reason?: string | undefined;
  readonly roundTripMs?: number | undefined;
  readonly clockSkewMs?: number | undefined;
  readonly reconnects24h?: number | undefined;
  readonly queuedReports?: number | undefined;
}

/** A tunnel of this node, as far as presence looks at it. */
export interface LiveSign {
  /** Since when it has been live without a break. */
  readonly openedAt: number;
  readonly lastHeardAt: number;
  readonly agentVersion: string;
  readonly storesScenes: boolean;
  readonly roundTripMs: number | undefined;
  readonly clockSkewMs: number | undefined;
  readonly reconnects24h: number;
  readonly queuedReports: number;
}

/** How a tunnel of this process ended, until its `hub.offline` is written. */
export interface EndSign {
  readonly closedAt: number;
  readonly lastHeardAt: number;
  readonly reason: string;
}

/** The client's row, as far as presence looks at it. */
export interface StoredSign {
  /** 1 when the last presence event said online. */
  readonly online: number;
  /** Since when it says so; null before the first connection. */
  readonly online_since: number | null;
  /** While the newest tunnel stands, when it was opened: heartbeats are not written. Null when the end of it was not seen. */
  readonly last_seen_at: number | null;
  readonly agent_version: string | null;
  readonly stores_scenes: number | null;
  /** Why the newest tunnel ended; null while it stands, and when its end was not seen. */
  readonly reason: string | null;
  readonly created_at: number;
  /** The living node that has its newest tunnel, by the database. */
  readonly held_by: string | null;
  /** When its newest tunnel was closed. */
  readonly ended_at: number | null;
}

export interface PresenceSigns {
  /** The client's tunnel on this node. */
  readonly tunnel: LiveSign | undefined;
  /** Whether its lease stands. A tunnel without one is closed at the next look, or renews its lease after a stall of this process. */
  readonly isLive: boolean;
  /** How its tunnel on this node ended; `stored` may have been read before that was written. */
  readonly ended: EndSign | undefined;
  readonly stored: StoredSign;
  /** Whether another node, which is known to live, has its newest tunnel. */
  readonly elsewhere: boolean;
  /** When this process started. */
  readonly startedAt: number;
}

/** Of a tunnel that its node closed for its own sake, because it stopped or lost its lease: the hub is expected back, and is not called offline. */
const STOPPED = "restart";

/** Neither `since` nor `lastSeenAt` is ever earlier than in an answer before it; what is not known is left out. */
export function hubConnection(signs: PresenceSigns): HubConnection {
  const { tunnel, isLive, stored, elsewhere, startedAt } = signs;
  const agent = agentOf(stored);
  if (tunnel) {
    const { openedAt, lastHeardAt, ...said } = tunnel;
    if (isLive) return { state: "online", since: openedAt, lastSeenAt: lastHeardAt, ...said };
    const { agentVersion, storesScenes } = said;
    return {
      state: "unknown",
      since: Math.max(openedAt, lastHeardAt),
      lastSeenAt: lastHeardAt,
      agentVersion,
      storesScenes,
    };
  }
  const openedAt = standingSince(stored);
  // How it is heard is for the node that hears it to say.
  if (elsewhere) return { state: "online", since: openedAt ?? stored.online_since ?? stored.created_at, ...agent };
  const end = newestEnd(signs);
  if (end) {
    const { closedAt: since, lastHeardAt, reason } = end;
    const state = reason === STOPPED ? "unknown" : "offline";
    return { state, since, lastSeenAt: lastHeardAt, ...agent, reason };
  }
  const lastSeenAt = openedAt === undefined ? (stored.last_seen_at ?? undefined) : undefined;
  // Online in the log, and no end of it was seen: it was so when the node that had it died.
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

/** When the newest tunnel was opened, if it stands by the row. */
export function standingSince({
  online,
  reason,
  last_seen_at,
}: Pick<StoredSign, "online" | "reason" | "last_seen_at">): number | undefined {
  return online === 1 && reason === null ? (last_seen_at ?? undefined) : undefined;
}

/** The end of the newest tunnel, if one was seen: by this process, or by the node that wrote it. */
function newestEnd({ ended, stored }: PresenceSigns): EndSign | undefined {
  const { online, online_since, last_seen_at, ended_at, reason } = stored;
  const written =
    online === 1 && ended_at !== null && reason !== null && reason !== STOPPED
      ? { closedAt: ended_at, lastHeardAt: last_seen_at ?? ended_at, reason }
      : undefined;
  // A later connection of the hub, or a later `hub.offline`, is in the row.
  const stands = online === 1 ? (ended_at ?? standingSince(stored)) : online_since;
  return ended && ended.closedAt >= (stands ?? 0) ? ended : written;
}

/** What the newest connection of a hub said of its agent. */
export function agentOf({ agent_version, stores_scenes }: Pick<StoredSign, "agent_version" | "stores_scenes">) {
  return {
    agentVersion: agent_version ?? undefined,
    storesScenes: stores_scenes === null ? undefined : stores_scenes === 1,
  };
}

/** When the end of a tunnel becomes an event: at once when its lease ran out, else after the debounce. Monotonic ms. */
export function offlineDue(reason: string, closedAt: number, offlineAfterMs: number): number {
  return reason === "lease_expired" ? closedAt : closedAt + offlineAfterMs;
}
