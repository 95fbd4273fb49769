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

/** A living tunnel, as far as presence looks at it. */
export interface LiveSign {
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
  readonly last_seen_at: number | null;
  readonly agent_version: string | null;
  readonly stores_scenes: number | null;
  readonly reason: string | null;
  readonly created_at: number;
  /** The living node that has its newest tunnel, by the database. */
  readonly held_by: string | null;
}

export interface PresenceSigns {
  readonly live: LiveSign | undefined;
  readonly ended: EndSign | undefined;
  /** How its tunnel ended whose `hub.offline` was written a moment ago: `stored` may have been read before that. */
  readonly written?: EndSign | undefined;
  readonly stored: StoredSign;
  /** Whether another node has its newest tunnel. */
  readonly elsewhere: boolean;
  /** When this process started. */
  readonly startedAt: number;
}

export function hubConnection({ live, ended, written, stored, elsewhere, startedAt }: PresenceSigns): HubConnection {
  if (live) {
    return {
      state: "online",
      since: live.openedAt,
      lastSeenAt: live.lastHeardAt,
      agentVersion: live.agentVersion,
      storesScenes: live.storesScenes,
      roundTripMs: live.roundTripMs,
      clockSkewMs: live.clockSkewMs,
      reconnects24h: live.reconnects24h,
      queuedReports: live.queuedReports,
    };
  }
  const agent = agentOf(stored);
  // How it is heard is for the node that hears it to say.
  if (elsewhere) return { state: "online", since: stored.online_since ?? stored.created_at, ...agent };
  const end = ended ?? (isReadBefore(stored, written) ? written : undefined);
  if (end) {
    const { closedAt, lastHeardAt, reason } = end;
    return { state: "offline", since: closedAt, lastSeenAt: lastHeardAt, ...agent, reason };
  }
  const lastSeenAt = stored.last_seen_at ?? undefined;
  // Online in the log, and this process has seen no end of it: it was so when the process before this one ended.
  if (stored.online === 1) return { state: "unknown", since: startedAt, lastSeenAt, ...agent };
  return {
    state: "offline",
    since: stored.online_since ?? stored.created_at,
    lastSeenAt,
    ...agent,
    reason: stored.reason ?? undefined,
  };
}

/** Whether the row says online because it was read before this end was written. */
function isReadBefore({ online, online_since }: StoredSign, written: EndSign | undefined): boolean {
  return written !== undefined && online === 1 && (online_since ?? 0) <= written.closedAt;
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
