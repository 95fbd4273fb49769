/** The front of the hub's end of the tunnel. */
export type { Dial } from "./dial.ts";
export { tunnelStatus } from "./tunnel-status.ts";
export { UPLINK_SETTINGS, Uplink, type UplinkDeps, type UplinkSettings } from "./uplink.ts";
export { webSocketDial } from "./websocket.ts";
