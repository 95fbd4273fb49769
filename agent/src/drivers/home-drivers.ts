/**
 * The drivers that the settings configure, each under its supervisor: one per serial line, one for the network, one per other
 * protocol under `drivers:`, one per package.
 */
import { existsSync, readdirSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import {
  type Admissions,
  type AskClaims,
  type BuiltInDriver,
  type DriverStore,
  notApplied,
  type SharedHost,
  type StatedDriver,
  SupervisedDriver,
} from "@porchlight/driver-kit";
import { openNetworkLink } from "@porchlight/driver-kit/links";
import type { NetworkBrowser } from "@porchlight/driver-kit/network";
import { type FrameLog, LanDriver, serialDriver } from "@porchlight/driver-porchlight";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { BUILT_IN_DRIVERS } from "../built-in-drivers.ts";
import { type AgentSettings, packageSettings } from "../config/index.ts";
import { packagesBeside } from "./packages/driver-packages.ts";

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

/** One driver for each that has settings. */
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
      // Its stored entries are found by its fixed name, not by the displayed name: the address of a broker may change.
      start: (host) => driver.start(own, { ...deps, network, admissions, store: store(name), host }),
    });
  });
}

/** One driver for each package that is installed or has settings. The code is loaded only by hubs with packages. */
function packages(data: string, settings: ReturnType<typeof packageSettings>, deps: HomeDriversDeps): StatedDriver[] {
  const folder = join(data, "drivers");
  const added = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  const installed = [...added, ...packagesBeside().keys()];
  const { TZ, LANG } = process.env;
  return [...new Set([...installed, ...settings.keys()])].sort().map((name) => {
    const load = async () => {
      const [{ installedDriver }, { ownProgram }] = await Promise.all([
        import("./packages/installed-driver.ts"),
        import("./child/child-program.ts"),
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

/**
 * The home network, for every driver that discovers its devices there: one shared browser, loaded and created when the first driver
 * asks for it. Its socket is open only while a driver is subscribed.
 */
interface HomeNetworkDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** @param on address (IPv4) or name of the interface; when left out, the interface that has the default route at the time */
export function homeNetwork(on: string | undefined, deps: HomeNetworkDeps): () => Promise<NetworkBrowser> {
  let made: Promise<NetworkBrowser> | undefined;
  const make = async () => {
    const network = await import("@porchlight/driver-kit/network");
    const findInterface = () => {
      const wanted = on ?? network.defaultRouteInterface();
      return wanted === undefined ? undefined : network.findInterface(wanted, networkInterfaces());
    };
    return new network.NetworkBrowser({ ...deps, findInterface, open: network.openMdnsSocket });
  };
  return () => {
    made ??= make();
    return made;
  };
}

/** The answer of a lazily loaded driver until it runs. */
const NOT_YET = notApplied("The device's driver is not running.");

/**
 * A driver whose code is loaded on start, for drivers that most hubs do not use: until then it has no devices.
 * @param load creates the driver; its error is shown, and the driver stays without devices
 */
function lateDriver(name: string, load: () => Promise<StatedDriver>, log: Log): StatedDriver {
  let inner: StatedDriver | undefined;
  let failure: string | undefined;
  const loading = load().then(
    (driver) => {
      inner = driver;
    },
    (thrown: unknown) => {
      failure = thrown instanceof Error ? thrown.message : String(thrown);
      log.error({ driver: name, failure }, "a driver cannot be loaded");
    },
  );
  return {
    name,
    has: (edgeId) => inner?.has(edgeId) ?? false,
    read: async (...asked) => (await inner?.read(...asked)) ?? NOT_YET,
    write: async (...asked) => (await inner?.write(...asked)) ?? NOT_YET,
    yield: (edgeIds) => inner?.yield?.(edgeIds),
    found: () => inner?.found?.() ?? [],
    unpaired: () => inner?.unpaired?.() ?? [],
    problem: () => inner?.problem?.() ?? failure,
    setups: () => inner?.setups?.() ?? [],
    setup: async (kind, talk) => await inner?.setup?.(kind, talk),
    status: () => inner?.status?.() ?? { driver: failure === undefined ? "starting" : "stopped", restarts: 0, failure },
    async [Symbol.asyncDispose]() {
      await loading;
      await inner?.[Symbol.asyncDispose]();
    },
  };
}

/** The hub's storage for its drivers. */
export interface KeptForDrivers {
  /** Devices that users have admitted in addition to the settings. */
  readonly admissions: Admissions;
  /** @param driver name of the driver, which identifies its entries */
  store(driver: string): DriverStore;
}

interface HomeDriversDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices belong to another hub. */
  readonly askClaims: AskClaims;
  readonly kept: KeptForDrivers;
  /** Records the frames of serial lines and network devices; left out while none are recorded. */
  readonly frames?: FrameLog | undefined;
}
