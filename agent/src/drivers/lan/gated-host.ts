/** The host as a network node's session sees it: a device is not told of before it is known that no other hub has it. */
import type { LiveDevice } from "../driver.ts";
import type { SharedHost } from "../shared-host.ts";

export interface DeviceGate {
  /** `open`: it may be told of; `unknown`: it is being asked for. */
  standing(edgeId: string): "open" | "unknown" | "claimed";
  /** Calls `look` once, when that may have changed. Returns what forgets the call. */
  whenKnown(look: () => void): () => void;
}

export function gatedHost(host: SharedHost, gate: DeviceGate): SharedHost {
  return {
    log: host.log,
    arrived: (device: LiveDevice) => {
      const standing = gate.standing(device.edgeId);
      if (standing === "unknown") return "later";
      return standing === "claimed" ? "refused" : host.arrived(device);
    },
    opened: (transport) => host.opened(transport),
    left: (edgeId) => host.left(edgeId),
    reported: (report, source) => host.reported(report, source),
    learned: (observation) => host.learned(observation),
    unread: (device, address) => host.unread(device, address),
    forgetReports: (node) => host.forgetReports(node),
    whenFree: (edgeId, taken) => {
      const forget = [host.whenFree(edgeId, taken), gate.whenKnown(taken)];
      return () => {
        for (const each of forget) each();
      };
    },
  };
}
