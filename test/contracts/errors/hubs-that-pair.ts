/** Hubs that want to be let in, and what they ask. */
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

/** Body of a request without credential about pairing; undefined for any other route. */
export function pairingBody(route: string): object | undefined {
  switch (route) {
    case "POST /api/pairings":
      return pairingHub(1).asks;
    case "POST /api/pairings/poll":
      return pairingHub(1).polls("a code that was never told");
    default:
      return undefined;
  }
}
