/** Where things stand: ecosystems, environments, and the clients that are installed in them. */
export { Clients, type ClientsDeps, type Presence } from "./clients.ts";
export { Ecosystems, ecosystemResource, insertEcosystem } from "./ecosystems.ts";
export { Environments, environmentResource, insertEnvironment } from "./environments.ts";
export { mergedPage } from "./merged-page.ts";
export { ecosystemsToList, ecosystemToMakeIn } from "./scope.ts";
export { newZoneResource, zoneResource } from "./zone-resource.ts";
export { Zones } from "./zones.ts";
