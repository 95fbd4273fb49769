/** Tunnels to hubs: presence of hubs, their leases, and requests to hubs. */

export { type GatewayDeps, type UpgradeRefusal, WebSocketGateway } from "./gateway/websocket-gateway.ts";
export { isSignedBy } from "./handshake/handshake.ts";
export { type ClientSnapshot, clientResource, endedAt, heldBy, readClient } from "./presence/client-resource.ts";
export type { ConnectionState, HubConnection, StoredSign } from "./presence/presence.ts";
export { type TunnelLocation, tunnelLocationOf } from "./presence/tunnel-location.ts";
export { type EpochStanding, GapInHistory, type Hub, Superseded, standingOf, standingsOf } from "./session/hub.ts";
export type * from "./session/hub-listener.ts";
export { recordWeight } from "./session/record-weight.ts";
export type { TunnelSettings } from "./settings.ts";
export { Tunnels, type TunnelsDeps } from "./tunnels.ts";
