/** The tunnels as the use-cases of this module see them: which hub can be reached, and the state of one that cannot. */
import { formatTime } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { type HubConnection, type HubTunnel, readClient, type StoredSign } from "../tunnels/index.ts";

export interface HubView {
  /** The client's tunnel while it is live. */
  live(clientId: string): HubTunnel | undefined;
  /** The current connection of a client. */
  connection(client: StoredSign & { readonly id: string }): HubConnection;
}

/** Seconds until a retry for an offline hub: most hubs are back from a broken connection by then. */
export const OFFLINE_RETRY_AFTER = 5;

/** When a hub was last seen, in the API's format. */
export async function lastSeenOf(
  store: Store,
  hubs: HubView,
  ecosystemId: string,
  clientId: string | null,
): Promise<string | undefined> {
  if (clientId === null) return undefined;
  const client = await readClient(store.of(ecosystemId).sql, ecosystemId, clientId);
  const at = client && hubs.connection(client).lastSeenAt;
  return at === undefined ? undefined : formatTime(at);
}

/** "Hub Offline" with the data that a caller needs for a retry. */
export function hubOffline(lastSeenAt: string | undefined, detail: string, outcome?: "not_sent"): NamedError {
  return new NamedError("Hub Offline", detail, {
    retryAfter: OFFLINE_RETRY_AFTER,
    ...(outcome && { outcome }),
    ...(lastSeenAt !== undefined && { members: { lastSeenAt } }),
  });
}
