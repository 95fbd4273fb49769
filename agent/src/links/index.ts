/** Bytes to and from devices: serial lines, the network, and what is announced on it. */
export { defaultRouteInterface } from "./default-route.ts";
export { keepPlugged, RETRY_MS } from "./hot-plug.ts";
export type { MdnsQuestion } from "./mdns-question.ts";
export {
  type MdnsListener,
  type MdnsRecord,
  type MdnsSocket,
  openMdnsSocket,
} from "./mdns-socket.ts";
export { findInterface, type HomeInterface } from "./network-interface.ts";
export { type NetworkEndpoint, openNetworkLink } from "./network-link.ts";
export type { AddressProblem, Place } from "./node-address.ts";
export { throughProxy } from "./proxy.ts";
export { openSerialPort, type SerialPortSettings } from "./serial-link.ts";
export { type TextSocket, type TextSocketEvents, textSocket } from "./text-socket.ts";
