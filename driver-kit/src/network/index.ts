/**
 * The home network for any driver: its interfaces, and the services that are announced there. Loaded only by hubs with a driver that uses
 * it.
 */
export type { AnnouncedService } from "./browsed-type.ts";
export type { MdnsQuestion } from "./mdns-socket.ts";
export {
  answerOf,
  findInterface,
  type HomeInterface,
  type MdnsListener,
  type MdnsRecord,
  type MdnsSocket,
  openMdnsSocket,
} from "./mdns-socket.ts";
export { type BrowsedServices, NetworkBrowser, type NetworkBrowserDeps } from "./network-browser.ts";
export { defaultRouteInterface, placeOnLink } from "./node-address.ts";
export type { Txt } from "./service-names.ts";
