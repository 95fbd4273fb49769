/** Services that are announced on the home network, for any driver. Loaded by hubs that have one which looks there. */
export type { AnnouncedService } from "./browsed-type.ts";
export { type BrowsedServices, NetworkBrowser, type NetworkBrowserDeps } from "./network-browser.ts";
export type { Txt } from "./txt.ts";
