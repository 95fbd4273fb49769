/** Creates the driver of ESPHome devices from its settings; the agent loads it only when the settings contain it. */
import type { Admissions, AskClaims, DriverHost, DriverStore, NetworkServices } from "@porchlight/driver-kit";
import { openNetworkLink } from "@porchlight/driver-kit/links";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { EspHomeDriver } from "./esphome-driver.ts";
import type { EspHomeSettings } from "./index.ts";

interface EspHomeDeps {
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
export function espHomeDriver({ devices, admit }: EspHomeSettings, deps: EspHomeDeps): Promise<EspHomeDriver> {
  return EspHomeDriver.start({
    ...deps,
    devices: devices.map(({ host, port, key }) => ({ endpoint: { host, port }, key })),
    admit,
    open: ({ host, port }, signal) => openNetworkLink(deps.clock, { address: host, port }, signal),
  });
}
