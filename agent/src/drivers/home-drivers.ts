/** The drivers that the settings ask for, each under its supervisor: one for each serial line, one for the network. */
import { networkInterfaces } from "node:os";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { AgentSettings } from "../config/index.ts";
import { findInterface, openMdnsSocket, openNetworkLink } from "../links/index.ts";
import { type AskClaims, type SharedHost, SupervisedDriver } from "./kit/index.ts";
import { LanDriver } from "./lan/lan-driver.ts";
import { serialDriver } from "./serial/serial-driver.ts";

export interface HomeDriversDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices are another hub's. */
  readonly askClaims: AskClaims;
}

type DriverSettings = Pick<AgentSettings, "serial" | "lan" | "lan.admit" | "lan.keys">;

export function homeDrivers(settings: DriverSettings, deps: HomeDriversDeps): SupervisedDriver[] {
  const serial = settings.serial.map(
    (line) =>
      new SupervisedDriver({
        ...deps,
        name: `serial ${line.path}`,
        start: (host) => serialDriver({ ...deps, ...line, host }),
      }),
  );
  const { lan } = settings;
  if (lan === undefined) return serial;
  return [
    ...serial,
    new SupervisedDriver({ ...deps, name: `lan ${lan}`, start: (host) => lanDriver(lan, settings, { ...deps, host }) }),
  ];
}

function lanDriver(on: string, settings: DriverSettings, deps: HomeDriversDeps): LanDriver {
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
