/** The front of driver packages, for the hub's commands and its list of drivers. */
import type { Clock, Random } from "@porchlight/shared/kernel";
import { serveHere } from "../child/serve-here.ts";
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

/** Runs the driver of a package in this process, until its agent ends it or is gone. False when the process was not started by an agent. */
export async function serveDriverHere(deps: { readonly clock: Clock; readonly random: Random }): Promise<boolean> {
  return await serveHere({ ...deps, start: startPackage });
}
