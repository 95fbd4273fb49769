/** Packages with drivers: what the hub's commands and its list of drivers need of them. */
import type { Clock, Random } from "@porchlight/shared/kernel";
import { serveHere } from "../child/process/serve-here.ts";
import { startPackage } from "./load-package.ts";

export {
  addPackage,
  type InstalledPackage,
  installedPackages,
  type OfferedPackage,
  openPackage,
  removePackage,
  unusablePackages,
} from "./driver-packages.ts";
export { type DriverManifest, PackageUnusable } from "./manifest.ts";
export { MAX_TARBALL_BYTES } from "./tarball.ts";

/** This process runs the driver of a package, until its agent ends it or has gone. False when no agent has started it. */
export async function serveDriverHere(deps: { readonly clock: Clock; readonly random: Random }): Promise<boolean> {
  return await serveHere({ ...deps, start: startPackage });
}
