/**
 * The home network, for every driver that looks for its devices there: one browser for all of them, loaded and made when the first driver asks.
 * Its socket is open only while a driver is subscribed.
 */
import { networkInterfaces } from "node:os";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { defaultRouteInterface, findInterface, openMdnsSocket } from "../links/index.ts";
import type { NetworkBrowser } from "./network/index.ts";

export interface HomeNetworkDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** @param on address (IPv4) or name of the interface; when left out, the one with the default route at the time */
export function homeNetwork(on: string | undefined, deps: HomeNetworkDeps): () => Promise<NetworkBrowser> {
  let made: Promise<NetworkBrowser> | undefined;
  const make = async () => {
    const { NetworkBrowser } = await import("./network/index.ts");
    return new NetworkBrowser({ ...deps, findInterface: () => interfaceNow(on), open: openMdnsSocket });
  };
  return () => {
    made ??= make();
    return made;
  };
}

function interfaceNow(on: string | undefined) {
  const wanted = on ?? defaultRouteInterface();
  return wanted === undefined ? undefined : findInterface(wanted, networkInterfaces());
}
