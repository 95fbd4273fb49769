/** The drivers of other protocols that the settings name under `drivers:`, each loaded only where it is set. */
import type { OwnDriverSettings } from "../config/index.ts";
import type { HomeDriversDeps } from "./drivers-deps.ts";
import {
  type Admissions,
  type DriverStore,
  type SharedHost,
  type StatedDriver,
  SupervisedDriver,
} from "./kit/index.ts";
import type { NetworkBrowser } from "./network/index.ts";

interface ForeignDeps extends HomeDriversDeps {
  /** The browser of the home network, for drivers that find their devices there. */
  readonly network: () => Promise<NetworkBrowser>;
}

/** What each driver is started with. */
interface StartDeps extends ForeignDeps {
  readonly host: SharedHost;
  readonly admissions: Admissions;
  readonly store: DriverStore;
}

/** A driver by its name in the settings. `shown` is what status and logs call it, when that is not its name. */
interface ForeignKind<Settings> {
  readonly shown?: (settings: Settings) => string;
  readonly start: (settings: Settings, deps: StartDeps) => Promise<StatedDriver>;
}

type ForeignName = keyof OwnDriverSettings;
type Foreign = { readonly [Name in ForeignName]: ForeignKind<NonNullable<OwnDriverSettings[Name]>> };

const FOREIGN: Foreign = {
  mqtt: {
    shown: ({ broker }) => broker.replace("://", " "),
    start: async (settings, deps) => (await import("./mqtt/index.ts")).mqttDriver(settings, deps),
  },
  shelly: {
    start: async (settings, deps) => {
      const services = (await deps.network()).services("_shelly._tcp");
      return (await import("./shelly/index.ts")).shellyDriver(settings, { ...deps, services });
    },
  },
  hue: {
    start: async (settings, deps) => {
      const services = (await deps.network()).services("_hue._tcp");
      return (await import("./hue/index.ts")).hueDriver(settings, { ...deps, services });
    },
  },
  zwave: {
    shown: ({ server }) => `zwave ${new URL(server).host}`,
    start: async (settings, deps) => (await import("./zwave/index.ts")).zwaveDriver(settings, deps),
  },
  esphome: {
    start: async (settings, deps) => {
      const services = (await deps.network()).services("_esphomelib._tcp");
      return (await import("./esphome/index.ts")).espHomeDriver(settings, { ...deps, services });
    },
  },
};

export function foreignDrivers(settings: OwnDriverSettings, deps: ForeignDeps): StatedDriver[] {
  return Object.keys(FOREIGN).flatMap((name) => foreignDriver(name as ForeignName, settings, deps) ?? []);
}

function foreignDriver<Name extends ForeignName>(name: Name, settings: OwnDriverSettings, deps: ForeignDeps) {
  const own = settings[name];
  if (own === undefined) return undefined;
  const { shown, start } = FOREIGN[name];
  const { admissions } = deps.kept;
  // By the driver's name, not by what is shown: the address of a broker may change.
  const store = deps.kept.store(name);
  return new SupervisedDriver({
    ...deps,
    name: shown?.(own) ?? name,
    start: (host) => start(own, { ...deps, admissions, store, host }),
  });
}
