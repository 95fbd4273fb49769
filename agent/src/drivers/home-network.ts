/**
 * The home network, for every driver that looks for its devices there: one browser for all of them, loaded and made when the first driver asks.
 * Its socket is open only while a driver is subscribed.
 */
import { networkInterfaces } from "node:os";
import type { NetworkBrowser } from "@porchlight/driver-kit/network";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";

export interface HomeNetworkDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** @param on address (IPv4) or name of the interface; when left out, the one with the default route at the time */
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
