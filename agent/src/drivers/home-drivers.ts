/**
 * The drivers that the settings ask for, each under its supervisor: one for each serial line, one for the network, one for a broker, one
 * for each package.
 */
import { networkInterfaces } from "node:os";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { type AgentSettings, packageSettings } from "../config/index.ts";
import { findInterface, openMdnsSocket, openNetworkLink } from "../links/index.ts";
import { ownProgram } from "./child/process/child-program.ts";
import {
  type Admissions,
  type AskClaims,
  type DriverStore,
  type SharedHost,
  type StatedDriver,
  SupervisedDriver,
} from "./kit/index.ts";
import { LanDriver } from "./lan/lan-driver.ts";
import { packageDrivers } from "./packages/package-drivers.ts";
import { serialDriver } from "./serial/serial-driver.ts";

export interface HomeDriversDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices are another hub's. */
  readonly askClaims: AskClaims;
  /** What a driver keeps, by its name; without this a package keeps nothing. */
  readonly storeOf?: ((driver: string) => DriverStore) | undefined;
  /** What people have admitted while the hub runs. */
  readonly admissions?: Admissions | undefined;
}

type HomeDriverSettings = Pick<AgentSettings, "serial" | "lan" | "lan.admit" | "lan.keys" | "drivers" | "data">;

export function homeDrivers(settings: HomeDriverSettings, deps: HomeDriversDeps): StatedDriver[] {
  const { serial, lan, drivers, data } = settings;
  const { mqtt } = drivers;
  const all: StatedDriver[] = serial.map((line) =>
    supervised(`serial ${line.path}`, (host) => serialDriver({ ...deps, ...line, host })),
  );
  if (lan !== undefined) all.push(supervised(`lan ${lan}`, (host) => lanDriver(lan, settings, { ...deps, host })));
  if (mqtt !== undefined) {
    // Loaded by those who have a broker only.
    const start = async (host: SharedHost) => (await import("./mqtt/index.ts")).mqttDriver(mqtt, { ...deps, host });
    all.push(supervised(mqtt.broker.replace("://", " "), start));
  }
  const { TZ, LANG } = process.env;
  all.push(...packageDrivers(data, packageSettings(drivers), { ...deps, program: ownProgram, env: { TZ, LANG } }));
  return all;

  function supervised(name: string, start: (host: SharedHost) => StatedDriver | Promise<StatedDriver>) {
    return new SupervisedDriver({ ...deps, name, start });
  }
}

function lanDriver(on: string, settings: HomeDriverSettings, deps: HomeDriversDeps): LanDriver {
  const keys = settings["lan.keys"].map(({ node, key }) => [node, Buffer.from(key.reveal(), "hex")] as const);
  return LanDriver.start({
    ...deps,
    on,
    admit: settings["lan.admit"],
    keys: new Map(keys),
    findInterface: () => findInterface(on, networkInterfaces()),
    openMdns: openMdnsSocket,
    openNode: (endpoint, signal) => openNetworkLink(deps.clock, endpoint, signal),
  });
}
