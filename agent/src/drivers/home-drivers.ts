/**
 * The drivers that the settings ask for, each under its supervisor: one for each serial line, one for the network, one for a broker, one for Hue bridges, one
 * for each package.
 */
import { existsSync, readdirSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { type AgentSettings, packageSettings } from "../config/index.ts";
import { findInterface, openMdnsSocket, openNetworkLink } from "../links/index.ts";
import {
  type Admissions,
  type AskClaims,
  type DriverStore,
  type SharedHost,
  type StatedDriver,
  SupervisedDriver,
} from "./kit/index.ts";
import { LanDriver } from "./lan/lan-driver.ts";
import { lateDriver } from "./late-driver.ts";
import { serialDriver } from "./serial/serial-driver.ts";

/** What the hub keeps for its drivers. */
export interface KeptForDrivers {
  /** What people have admitted beside the settings. */
  readonly admissions: Admissions;
  /** @param driver name of the driver, under which it finds what it kept */
  store(driver: string): DriverStore;
}

export interface HomeDriversDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices are another hub's. */
  readonly askClaims: AskClaims;
  readonly kept: KeptForDrivers;
}

type HomeDriverSettings = Pick<AgentSettings, "serial" | "lan" | "lan.admit" | "lan.keys" | "drivers" | "data">;

export function homeDrivers(settings: HomeDriverSettings, deps: HomeDriversDeps): StatedDriver[] {
  const { serial, lan, drivers, data } = settings;
  const { admissions } = deps.kept;
  const { mqtt, hue } = drivers;
  const all: StatedDriver[] = serial.map((line) =>
    supervised(`serial ${line.path}`, (host) => serialDriver({ ...deps, ...line, host })),
  );
  if (lan !== undefined) all.push(supervised(`lan ${lan}`, (host) => lanDriver(lan, settings, { ...deps, host })));
  if (mqtt !== undefined) {
    // Loaded by those who have a broker only.
    // Not by its address, which a broker may change.
    const store = deps.kept.store("mqtt");
    const start = async (host: SharedHost) =>
      (await import("./mqtt/index.ts")).mqttDriver(mqtt, { ...deps, admissions, store, host });
    all.push(supervised(mqtt.broker.replace("://", " "), start));
  }
  if (hue !== undefined) {
    const store = deps.kept.store("hue");
    const start = async (host: SharedHost) =>
      (await import("./hue/index.ts")).hueDriver(hue, { ...deps, admissions, store, host });
    all.push(supervised("hue", start));
  }
  all.push(...packages(data, packageSettings(drivers), deps));
  return all;

  function supervised(name: string, start: (host: SharedHost) => StatedDriver | Promise<StatedDriver>) {
    return new SupervisedDriver({ ...deps, name, start });
  }
}

/** One for each that is installed, and for each that has settings. Loaded by those who have some only. */
function packages(data: string, settings: ReturnType<typeof packageSettings>, deps: HomeDriversDeps): StatedDriver[] {
  const folder = join(data, "drivers");
  const installed = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
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

function lanDriver(on: string, settings: HomeDriverSettings, deps: HomeDriversDeps): LanDriver {
  const keys = settings["lan.keys"].map(({ node, key }) => [node, Buffer.from(key.reveal(), "hex")] as const);
  return LanDriver.start({
    ...deps,
    on,
    admit: settings["lan.admit"],
    admissions: deps.kept.admissions,
    keys: new Map(keys),
    findInterface: () => findInterface(on, networkInterfaces()),
    openMdns: openMdnsSocket,
    openNode: (endpoint, signal) => openNetworkLink(deps.clock, endpoint, signal),
  });
}
