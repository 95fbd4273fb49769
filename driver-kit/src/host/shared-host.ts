/** One host for all drivers of a hub: an edgeId that is live on one link is taken by the next that lists it as soon as it is free. */
import type { DriverHost } from "../contract/driver.ts";

export interface SharedHost extends DriverHost {
  /**
   * Calls `taken` once, right after the device has left the link on which it was live.
   * Returns what forgets the call; safe to repeat.
   */
  whenFree(edgeId: string, taken: () => void): () => void;
}

/** Makes a host that several drivers are handed together. DP5, "An edgeId belongs to the link…". */
export function shareHost(host: DriverHost): SharedHost {
  const waiting = new Map<string, Set<() => void>>();
  return {
    log: host.log,
    arrived: (device) => host.arrived(device),
    described: (device) => host.described(device),
    opened: (transport) => host.opened(transport),
    left: (edgeId) => {
      host.left(edgeId);
      const calls = waiting.get(edgeId);
      waiting.delete(edgeId);
      for (const taken of calls ?? []) taken();
    },
    reported: (report, source) => host.reported(report, source),
    pushed: (observation) => host.pushed(observation),
    learned: (observation) => host.learned(observation),
    unread: (device, address) => host.unread(device, address),
    forgetReports: (node) => host.forgetReports(node),
    whenFree: (edgeId, taken) => {
      const calls = waiting.get(edgeId) ?? new Set();
      calls.add(taken);
      waiting.set(edgeId, calls);
      return () => {
        calls.delete(taken);
        if (calls.size === 0 && waiting.get(edgeId) === calls) waiting.delete(edgeId);
      };
    },
  };
}

/** The host as one that is shared: as it is when it already is. */
export function asShared(host: DriverHost): SharedHost {
  return isShared(host) ? host : shareHost(host);
}

function isShared(host: DriverHost): host is SharedHost {
  return "whenFree" in host;
}
