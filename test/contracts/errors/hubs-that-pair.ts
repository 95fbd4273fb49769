/** Hubs that want to be let in, programs that want to be logged in, and what they ask. */
import type { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { type PairingHub, pairingHub } from "@porchlight/cloud/pairing/hub.fixture.ts";

export interface Waiting {
  readonly userCode: string;
  /** Body of a poll. */
  readonly polls: object;
}

/** A code that no hub shows. */
export const NEVER = "BBBB-BBBB";

/** Begins to pair a hub. */
export async function beginPairing(cloud: TestCloud, hub: PairingHub = pairingHub(1)): Promise<Waiting> {
  const { userCode, deviceCode } = await cloud.good("POST", "/api/pairings", { body: hub.asks });
  return { userCode, polls: hub.polls(deviceCode) };
}

/** Begins a log-in by code. */
export async function beginLogIn(cloud: TestCloud): Promise<Waiting> {
  const { userCode, deviceCode } = await cloud.good("POST", "/api/accounts/login/code");
  return { userCode, polls: { deviceCode } };
}

/** Begins what waits under the code of a route. */
export function beginFor(route: string, cloud: TestCloud): Promise<Waiting> {
  return route.includes("/login/code/") ? beginLogIn(cloud) : beginPairing(cloud);
}

/** Body of a request without credential about a code; undefined for any other route. */
export function pairingBody(route: string): object | undefined {
  switch (route) {
    case "POST /api/pairings":
      return pairingHub(1).asks;
    case "POST /api/pairings/poll":
      return pairingHub(1).polls("a code that was never told");
    case "POST /api/accounts/login/code/poll":
      return { deviceCode: "a code that was never told" };
    default:
      return undefined;
  }
}
