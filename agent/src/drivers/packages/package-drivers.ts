/** One driver for each package in the data folder; and in the place of those that cannot run, what keeps them from it. */
import type { OwnSettings } from "../../config/index.ts";
import type { DriverStore, StatedDriver } from "../kit/index.ts";
import { installedPackages, unusablePackages } from "./driver-packages.ts";
import { noDriver } from "./no-driver.ts";
import { type PackageDriverDeps, packageDriver } from "./package-driver.ts";
import { settingsProblem } from "./settings-check.ts";

export interface PackageDriversDeps extends Omit<PackageDriverDeps, "store"> {
  /** Without this a package keeps nothing. */
  readonly storeOf?: ((driver: string) => DriverStore) | undefined;
}

const NO_SETTINGS: OwnSettings = { admit: { all: false, edgeIds: new Set() }, own: {} };

/** @param settings by the package's name without its prefix */
export function packageDrivers(
  data: string,
  settings: ReadonlyMap<string, OwnSettings>,
  deps: PackageDriversDeps,
): StatedDriver[] {
  const { log, storeOf = () => WITHOUT_STORE } = deps;
  const installed = installedPackages(data);
  const unusable = unusablePackages(data);
  const known = new Set([...installed, ...unusable].map(({ shortName }) => shortName));
  const missing = [...settings.keys()].filter((name) => !known.has(name));
  return [
    ...installed.map((each) => {
      const given = settings.get(each.shortName) ?? NO_SETTINGS;
      const problem = settingsProblem(each.settings, given.own);
      if (problem === undefined) return packageDriver(each, given, { ...deps, store: storeOf(each.name) });
      return noDriver(each.name, `The settings \`drivers.${each.shortName}\` do not fit the package: ${problem}.`, log);
    }),
    ...unusable.map(({ shortName, why }) =>
      noDriver(shortName, `The package ${shortName} cannot be used: ${why}.`, log),
    ),
    ...missing.map((name) =>
      noDriver(
        name,
        `The settings have \`drivers.${name}\`, and no such package is installed: porchlight-agent drivers add.`,
        log,
      ),
    ),
  ];
}

/** Of a hub that keeps nothing for its drivers. */
const WITHOUT_STORE: DriverStore = {
  get: async () => undefined,
  all: async () => new Map(),
  set: async () => {
    throw new Error("This hub keeps nothing for its drivers.");
  },
};
