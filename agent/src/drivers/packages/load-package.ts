/** A package's code, in its child: loaded from its one file, checked against the interface, and started with its dependencies. */
import nodeModules from "node:module";
import type { StatedDriver } from "@porchlight/driver-kit";
import { driverKit } from "@porchlight/driver-kit/driver-kit";
import type { DriverPackage } from "@porchlight/driver-kit/package-api";
import type { AroundDriver } from "../child/driver-in-child.ts";
import { PACKAGE_API, PackageUnusable } from "./manifest.ts";

/** @throws PackageUnusable, and what the package throws */
export async function startPackage(around: AroundDriver): Promise<StatedDriver> {
  const driver = packageIn(loaded(around.entry));
  const { askClaims: _, name: __, entry: ___, ...given } = around;
  const started = await driver.start({ ...given, kit: driverKit });
  if (!isDriver(started)) throw new PackageUnusable("its `start` returns no driver");
  return started;
}

/**
 * Loads a CommonJS or an ES module. It uses `require`, because a single executable has no `import` of files; therefore a package must
 * not have an `await` outside of functions.
 */
function loaded(entry: string): unknown {
  // Not one of our own modules, which lint rules and bundlers resolve.
  const load: (path: string) => unknown = nodeModules.createRequire(entry);
  return load(entry);
}

/** @throws PackageUnusable */
export function packageIn(module: unknown): DriverPackage {
  // The default export of an ES module, of one compiled to CommonJS, or the whole export of a CommonJS module.
  const candidates = [module, at(module, "default"), at(at(module, "default"), "default")];
  const found = candidates.find(isPackage);
  if (!found) throw new PackageUnusable("its default export is not a driver package with `api` and `start`");
  if (found.api !== PACKAGE_API) throw new PackageUnusable(`it is for another version of the interface: ${found.api}`);
  return found;
}

function at(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function isPackage(value: unknown): value is DriverPackage {
  return typeof at(value, "api") === "number" && typeof at(value, "start") === "function";
}

function isDriver(value: unknown): value is StatedDriver {
  const methods = ["has", "read", "write"].every((name) => typeof at(value, name) === "function");
  return methods && typeof value === "object" && value !== null && Symbol.asyncDispose in value;
}
