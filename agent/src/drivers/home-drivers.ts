/**
 * The drivers that the settings ask for, each under its supervisor: one for each serial line, one for the network, one for each other
 * protocol under `drivers:`, one for each package.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type BuiltInDriver, type SharedHost, type StatedDriver, SupervisedDriver } from "@porchlight/driver-kit";
import { openNetworkLink } from "@porchlight/driver-kit/links";
import type { NetworkBrowser } from "@porchlight/driver-kit/network";
import { LanDriver, serialDriver } from "@porchlight/driver-porchlight";
import { BUILT_IN_DRIVERS } from "../built-in-drivers.ts";
import { type AgentSettings, packageSettings } from "../config/index.ts";
import type { HomeDriversDeps } from "./drivers-deps.ts";
import { homeNetwork } from "./home-network.ts";
import { lateDriver } from "./late-driver.ts";
import { packagesBeside } from "./packages/beside-program.ts";

type HomeDriverSettings = Pick<AgentSettings, "serial" | "lan" | "lan.admit" | "lan.keys" | "drivers" | "data">;

export function homeDrivers(settings: HomeDriverSettings, deps: HomeDriversDeps): StatedDriver[] {
  const { serial, lan, drivers, data } = settings;
  const all: StatedDriver[] = serial.map((line) =>
    supervised(`serial ${line.path}`, (host) => serialDriver({ ...deps, ...line, host })),
  );
  const network = homeNetwork(lan, deps);
  if (lan !== undefined) {
    const start = async (host: SharedHost) => lanDriver(lan, settings, await network(), { ...deps, host });
    all.push(supervised(`lan ${lan}`, start));
  }
  all.push(...builtInDrivers(drivers, network, deps));
  all.push(...packages(data, packageSettings(drivers), deps));
  return all;

  function supervised(name: string, start: (host: SharedHost) => StatedDriver | Promise<StatedDriver>) {
    return new SupervisedDriver({ ...deps, name, start });
  }
}

/** One for each that has settings. */
function builtInDrivers(
  settings: HomeDriverSettings["drivers"],
  network: () => Promise<NetworkBrowser>,
  deps: HomeDriversDeps,
): StatedDriver[] {
  const drivers: Readonly<Record<string, BuiltInDriver>> = BUILT_IN_DRIVERS;
  const { admissions, store } = deps.kept;
  return Object.entries(drivers).flatMap(([name, driver]) => {
    const own = settings[name];
    if (own === undefined) return [];
    return new SupervisedDriver({
      ...deps,
      name: driver.shown?.(own) ?? name,
      // What it keeps is found by its name, not by what is shown: the address of a broker may change.
      start: (host) => driver.start(own, { ...deps, network, admissions, store: store(name), host }),
    });
  });
}

/** One for each that is installed, and for each that has settings. Loaded by those who have some only. */
function packages(data: string, settings: ReturnType<typeof packageSettings>, deps: HomeDriversDeps): StatedDriver[] {
  const folder = join(data, "drivers");
  const added = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  const installed = [...added, ...packagesBeside().keys()];
  const { TZ, LANG } = process.env;
  return [...new Set([...installed, ...settings.keys()])].sort().map((name) => {
    const load = async () => {
      const [{ installedDriver }, { ownProgram }] = await Promise.all([
        import("./packages/installed-driver.ts"),
        import("./child/process/child-program.ts"),
      ]);
      const { admissions, store } = deps.kept;
      const around = { ...deps, admissions, storeOf: store, program: ownProgram, env: { TZ, LANG } };
      return installedDriver(data, name, settings.get(name), around);
    };
    return lateDriver(name, load, deps.log);
  });
}

function lanDriver(
  on: string,
  settings: HomeDriverSettings,
  network: NetworkBrowser,
  deps: HomeDriversDeps,
): LanDriver {
  const keys = settings["lan.keys"].map(({ node, key }) => [node, Buffer.from(key.reveal(), "hex")] as const);
  return LanDriver.start({
    ...deps,
    on,
    admit: settings["lan.admit"],
    admissions: deps.kept.admissions,
    keys: new Map(keys),
    network,
    openNode: (endpoint, signal) => openNetworkLink(deps.clock, endpoint, signal),
  });
}
