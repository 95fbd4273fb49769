/** Connections to devices over the network: bytes and texts, over TCP, TLS and WebSocket. */
export { type NetworkEndpoint, openNetworkLink, SocketLink } from "./network-link.ts";
export { type TextSocket, type TextSocketEvents, textSocket } from "./text-socket.ts";
