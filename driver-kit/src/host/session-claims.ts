/** For one node's session: the devices that the cloud was asked about, and the callers that wait for its answers. */
import type { Clock, Log } from "@porchlight/shared/kernel";
import type { DriverHost, LiveDevice } from "../contract/driver.ts";
import type { Claims } from "./claims.ts";

export interface SessionClaimsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly claims: Claims;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Called after an answer of the cloud. */
  readonly answered: () => void;
}

/** Interval between questions whether another hub has released a device, ms. */
export const CLAIM_AGAIN_MS = 30_000;

export class SessionClaims {
  readonly #deps: SessionClaimsDeps;
  readonly #known = new Set<string>();
  /** Earliest time of the next question about a device, monotonic ms. */
  readonly #next = new Map<string, number>();
  readonly #looks = new Set<() => void>();
  #session = 0;

  constructor(deps: SessionClaimsDeps) {
    this.#deps = deps;
  }

  /** A new session begins: all devices are asked about again, because their owners may have changed meanwhile. */
  begin(): void {
    this.#session += 1;
    this.#known.clear();
    this.#next.clear();
  }

  /** `open`: the device may be announced; `unknown`: the cloud is being asked; `claimed`: it belongs to another hub. */
  standing(device: string): "open" | "unknown" | "claimed" {
    const isClaimed = this.#deps.claims.isClaimed(device);
    if (this.#known.has(device) && !isClaimed) return "open";
    this.ask([device]);
    return isClaimed ? "claimed" : "unknown";
  }

  /** Calls `look` whenever a standing may have changed. Returns a function that removes the listener. */
  whenKnown(look: () => void): () => void {
    this.#looks.add(look);
    return () => void this.#looks.delete(look);
  }

  /** Asks which hub owns these devices, each device at most once per interval. */
  ask(devices: readonly string[]): void {
    const { clock, claims, log, signal, answered } = this.#deps;
    const session = this.#session;
    const now = clock.monotonic();
    const due = devices.filter((device) => !this.#known.has(device) || claims.isClaimed(device));
    const asked = due.filter((device) => now >= (this.#next.get(device) ?? Number.NEGATIVE_INFINITY));
    if (asked.length === 0) return;
    for (const device of asked) this.#next.set(device, now + CLAIM_AGAIN_MS);
    claims.renew(asked, signal).then(
      () => {
        if (this.#session !== session) return;
        for (const device of asked) {
          if (!claims.isClaimed(device)) this.#next.delete(device);
          this.#known.add(device);
        }
        answered();
        for (const look of [...this.#looks]) look();
      },
      (failure: unknown) => log.debug({ failure: String(failure) }, "the driver no longer waits for the claim"),
    );
  }
}

/** A host that forwards every call: what stands between a driver and its host changes some of them. */
export function forwarding(host: DriverHost): DriverHost {
  return {
    log: host.log,
    arrived: (device) => host.arrived(device),
    described: (device) => host.described(device),
    opened: (transport) => host.opened(transport),
    left: (edgeId) => host.left(edgeId),
    reported: (report, source) => host.reported(report, source),
    pushed: (observation) => host.pushed(observation),
    learned: (observation) => host.learned(observation),
    unread: (device, address) => host.unread(device, address),
    forgetReports: (node) => host.forgetReports(node),
  };
}

/** The host as a session sees it: a device arrives only after the cloud has answered that no other hub owns it. */
export function hostWithClaims(host: SharedHost, claims: SessionClaims): SharedHost {
  return {
    ...forwarding(host),
    arrived: (device: LiveDevice) => {
      const standing = claims.standing(device.edgeId);
      if (standing === "unknown") return "later";
      return standing === "claimed" ? "refused" : host.arrived(device);
    },
    whenFree: (edgeId, taken) => {
      const forget = [host.whenFree(edgeId, taken), claims.whenKnown(taken)];
      return () => {
        for (const each of forget) each();
      };
    },
  };
}

/** One host for all drivers of a hub: when a link releases an edgeId, the next link that lists it takes it at once. */
export interface SharedHost extends DriverHost {
  /**
   * Calls `taken` once, right after the device has left the link on which it was live.
   * Returns a function that removes the listener; it can be called repeatedly.
   */
  whenFree(edgeId: string, taken: () => void): () => void;
}

/** Makes a host that several drivers share. DP5, "An edgeId belongs to the link…". */
export function shareHost(host: DriverHost): SharedHost {
  const waiting = new Map<string, Set<() => void>>();
  return {
    ...forwarding(host),
    left: (edgeId) => {
      host.left(edgeId);
      const calls = waiting.get(edgeId);
      waiting.delete(edgeId);
      for (const taken of calls ?? []) taken();
    },
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

/** Returns the host itself if it is shared already, and a shared host for it otherwise. */
export function asShared(host: DriverHost): SharedHost {
  return isShared(host) ? host : shareHost(host);
}

function isShared(host: DriverHost): host is SharedHost {
  return "whenFree" in host;
}
