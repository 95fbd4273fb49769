/** Creates the driver of Shelly devices from its settings; the agent loads it only when the settings contain it. */
import type { Admissions, AskClaims, DriverHost, DriverStore, NetworkServices } from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { ShellySettings } from "./index.ts";
import { ShellyDriver } from "./shelly-driver.ts";
import { listenOn, realNetwork } from "./web-socket.ts";

interface ShellyDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  readonly askClaims: AskClaims;
  readonly admissions?: Admissions | undefined;
  readonly store?: DriverStore | undefined;
  readonly services?: NetworkServices | undefined;
}

/** @throws what the store throws */
export function shellyDriver({ devices, admit, listen }: ShellySettings, deps: ShellyDeps): Promise<ShellyDriver> {
  const listed = devices.map(({ host, port, password }) => ({ endpoint: { host, port }, password }));
  return ShellyDriver.start({
    ...deps,
    devices: listed,
    admit,
    network: realNetwork,
    listen: listen && listenOn(listen),
  });
}
