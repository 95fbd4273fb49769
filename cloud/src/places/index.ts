/** The places of a tenant: ecosystems, environments, and the clients that are installed in them. */

export type { VersionedClient } from "./clients.ts";
export { Clients, type ClientsDeps, type Presence } from "./clients.ts";
export type { DeletionDeps, SweepTrigger } from "./deletion.ts";
export {
  Ecosystems,
  type EcosystemsDeps,
  ecosystemResource,
  insertEcosystem,
  type RegisterHolder,
} from "./ecosystems.ts";
export {
  type EnvironmentChange,
  type EnvironmentSnapshot,
  Environments,
  environmentResource,
  type HomeFacts,
  insertEnvironment,
  readHome,
} from "./environments.ts";
export { eraseEcosystem } from "./erase.ts";
export { ecosystemsToList, ecosystemToMakeIn, mergedPage, pageOfObjects, placesToList } from "./object-pages.ts";
export { Sweeper } from "./sweeper.ts";
export { newZoneResource, Zones, zoneResource } from "./zones.ts";
