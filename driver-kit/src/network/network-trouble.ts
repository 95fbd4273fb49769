/** What keeps announcements from the hub, in words: apart from the browser, as it is pure. */
import type { NetworkTrouble } from "../devices/network-services.ts";

/** Devices answer each round of questions, one a minute at least: when nobody has for this long, it is likely that none is heard, ms. */
const SILENT_MS = 300_000;
const BY_ADDRESS = "or name devices by their address in the settings under `drivers`.";

/**
 * @param problem why there is no socket; undefined while there is one
 * @param silentMs for how long nobody has announced anything; undefined while nobody listens
 */
export function networkTrouble(problem: string | undefined, silentMs: number | undefined): NetworkTrouble | undefined {
  if (problem !== undefined)
    return {
      why: "cannot_listen",
      says: `The hub cannot look for devices on the network: ${problem}.`,
      cure: `Check the hub's network, and \`lan\` in its settings, ${BY_ADDRESS}`,
    };
  if (silentMs === undefined || silentMs < SILENT_MS) return undefined;
  return {
    why: "nothing_announced",
    says: "No device announces itself on the network. Multicast may be blocked.",
    cure: `Allow multicast DNS (UDP port 5353, 224.0.0.251) in the hub's firewall and in the access point, ${BY_ADDRESS}`,
  };
}
