/** Creates the driver of Hue bridges from its settings; the agent loads it only when the settings contain it. */
import type { Admissions, AskClaims, DriverHost, DriverStore, NetworkServices } from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { pairingByHttps } from "./bridge/https-client.ts";
import { openByHttps } from "./bridge/open-bridge.ts";
import { HueDriver } from "./hue-driver.ts";
import type { HueSettings } from "./index.ts";

interface HueDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  readonly askClaims: AskClaims;
  readonly admissions: Admissions;
  readonly store: DriverStore;
  readonly services?: NetworkServices | undefined;
}

export function hueDriver({ admit, bridges }: HueSettings, { hubEdgeId, ...deps }: HueDeps): Promise<HueDriver> {
  return HueDriver.start({
    ...{ ...deps, admit, bridges },
    pairing: pairingByHttps(hubEdgeId),
    open: (bridgeId, { key, pinned, host, port }) =>
      openByHttps({ key, known: { bridgeId, pinned }, address: { host, port } }),
  });
}
