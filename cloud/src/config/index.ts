/** Configuration of the service: settings, quotas, its data folder and its version. */
export { DataFolderBroken, freeBytesIn, isPostgres, makeDataFolder } from "./data-location.ts";
export { type CountedQuota, type QuotaLimits, type QuotaName, quotaLimits } from "./quotas.ts";
export {
  type CloudSettings,
  cloudSettings,
  databaseOf,
  secretFileOf,
  tlsFilesOf,
  urlOf,
  verifiesAddresses,
} from "./settings.ts";
export { CLOUD_VERSION } from "./version.ts";
