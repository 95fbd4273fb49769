/** Tunnels to hubs: presence of hubs, their leases, and requests to hubs. */

export { type ClientSnapshot, clientResource, endedAt, heldBy, readClient } from "./client-resource.ts";
export { isSignedBy } from "./handshake.ts";
export type { ConnectionState, HubConnection, StoredSign } from "./presence.ts";
export { type EpochStanding, GapInHistory, type Hub, Superseded, standingOf, standingsOf } from "./session/hub.ts";
export type * from "./session/hub-listener.ts";
export { recordWeight } from "./session/record-weight.ts";
export type { TunnelSettings } from "./settings.ts";
export { type TunnelLocation, tunnelLocationOf } from "./tunnel-location.ts";
export { Tunnels, type TunnelsDeps } from "./tunnels.ts";
export { type GatewayDeps, type UpgradeRefusal, WebSocketGateway } from "./websocket-gateway.ts";
