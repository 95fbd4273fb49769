/** The tunnels as the use-cases of this module see them: which hub can be asked, and what is known of one that cannot. */
import { formatTime } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { type HubConnection, type HubTunnel, readClient, type StoredSign } from "../../tunnels/index.ts";

export interface HubView {
  /** The client's tunnel while it is live. */
  live(clientId: string): HubTunnel | undefined;
  /** What is known now of a client's connection. */
  connection(client: StoredSign & { readonly id: string }): HubConnection;
}

/** Seconds after which a hub that is offline is worth another try: most are back from a broken line by then. */
export const OFFLINE_RETRY_AFTER = 5;

/** When a hub was last heard of, as the API writes times. */
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

/** "Hub Offline" with what a caller needs to try again. */
export function hubOffline(lastSeenAt: string | undefined, detail: string, outcome?: "not_sent"): NamedError {
  return new NamedError("Hub Offline", detail, {
    retryAfter: OFFLINE_RETRY_AFTER,
    ...(outcome && { outcome }),
    ...(lastSeenAt !== undefined && { members: { lastSeenAt } }),
  });
}
