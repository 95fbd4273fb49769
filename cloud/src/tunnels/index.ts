/** Tunnels to hubs: who is connected, whether that is still so, and how to ask. */
export { type ClientSnapshot, readClient } from "./client-resource.ts";
export { heldBy } from "./held-by.ts";
export { type Hub, type Standing, Superseded, standingOf } from "./hub.ts";
export type * from "./hub-listener.ts";
export type { ConnectionState, HubConnection, StoredSign } from "./presence.ts";
export { revokedBy } from "./revoked.ts";
export type { TunnelSettings } from "./settings.ts";
export { type TunnelLocation, tunnelLocationOf } from "./tunnel-location.ts";
export { Tunnels, type TunnelsDeps } from "./tunnels.ts";
export { type GatewayDeps, type Refusal, WebSocketGateway } from "./websocket-gateway.ts";
