/** Creates the driver of a Z-Wave network from its settings; the agent loads it only when the settings contain it. */
import type { Admissions, AskClaims, DriverHost, DriverStore } from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { ZwaveSettings } from "./index.ts";
import { openByWebSocket } from "./server/ws-socket.ts";
import { ZwaveDriver } from "./zwave-driver.ts";

interface ZwaveDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly askClaims: AskClaims;
  readonly admissions: Admissions;
  readonly store: DriverStore;
}

/** @throws what the store throws */
export function zwaveDriver({ admit, server }: ZwaveSettings, deps: ZwaveDeps): Promise<ZwaveDriver> {
  return ZwaveDriver.start({ ...deps, admit, server: new URL(server).host, open: openByWebSocket(server) });
}
