/** The driver of one package in the data folder; if it cannot run, a placeholder that reports the reason. */
import { type DriverStore, notApplied, type StatedDriver } from "@porchlight/driver-kit";
import type { Log } from "@porchlight/shared/kernel";
import type { OwnSettings } from "../../config/index.ts";
import { readInstalled, settingsProblem } from "./driver-packages.ts";
import { type PackageDriverDeps, packageDriver } from "./package-driver.ts";

export interface InstalledDriverDeps extends Omit<PackageDriverDeps, "store"> {
  /** When left out, packages store nothing. */
  readonly storeOf?: ((driver: string) => DriverStore) | undefined;
}

const NO_SETTINGS: OwnSettings = { admit: { all: false, edgeIds: new Set() }, own: {} };

/** @param shortName the name of the package without its prefix. Never throws. */
export function installedDriver(
  data: string,
  shortName: string,
  settings: OwnSettings | undefined,
  deps: InstalledDriverDeps,
): StatedDriver {
  const { log, storeOf = () => WITHOUT_STORE } = deps;
  const found = readInstalled(data, shortName);
  if (!found) {
    const cure = "porchlight-agent drivers add FILE";
    return noDriver(
      shortName,
      `The settings have drivers.${shortName}, but no such package is installed: ${cure}.`,
      log,
    );
  }
  if ("why" in found) return noDriver(shortName, `The package ${shortName} cannot be used: ${found.why}.`, log);
  const given = settings ?? NO_SETTINGS;
  const problem = settingsProblem(found.settings, given.own);
  if (problem !== undefined)
    return noDriver(
      shortName,
      `The settings drivers.${shortName} do not match the schema of the package: ${problem}.`,
      log,
    );
  return packageDriver(found, given, { ...deps, store: storeOf(found.name) });
}

/** The store of a hub that keeps nothing for its drivers. */
const WITHOUT_STORE: DriverStore = {
  get: async () => undefined,
  all: async () => new Map(),
  set: async () => {
    throw new Error("This hub does not store data for its drivers.");
  },
};

/** A placeholder for a driver that cannot be created: the hub runs without it, and reports why. @param problem a sentence for people */
function noDriver(name: string, problem: string, log: Log): StatedDriver {
  log.error({ driver: name, problem }, "a driver cannot be started");
  const nothing = notApplied(problem);
  return {
    name,
    has: () => false,
    read: async () => nothing,
    write: async () => nothing,
    problem: () => problem,
    status: () => ({ driver: "stopped", restarts: 0, failure: problem }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
