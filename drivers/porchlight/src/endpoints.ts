/**
 * Plans where the hub looks for a node next. Pure. Announced places come first, and the place where the hub last met the node comes last.
 */
import type { Endpoint, Sighting } from "./sightings.ts";

/** All known places of a node. */
export interface Ways {
  /** The node's current announcement; undefined while it is not announced. */
  readonly sighting: Sighting | undefined;
  /** The place where the hub last met the node, and whether it required TLS. */
  readonly met: (Endpoint & { readonly tls: boolean }) | undefined;
  readonly hasKey: boolean;
  /** Until when a place is avoided, because another node answered there; monotonic ms, by `endpointKey`. */
  readonly avoid: Pick<ReadonlyMap<string, number>, "get">;
}

export type Plan =
  | { readonly kind: "try"; readonly endpoints: readonly Endpoint[] }
  | { readonly kind: "wait"; readonly why: "notSeen" | "noAddress" | "needsKey" | "otherNodeThere" };

/** Maximum number of places that are tried in one round. */
const MOST_TRIED = 6;

export function planWays({ sighting, met, hasKey, avoid }: Ways, now: number): Plan {
  if (!sighting && !met) return { kind: "wait", why: "notSeen" };
  // A node that requires a key is not reachable without one, at any place.
  if (!hasKey && (sighting?.tls ?? met?.tls)) return { kind: "wait", why: "needsKey" };
  const known = [...(sighting?.endpoints ?? []), ...(met ? [met] : [])];
  if (known.length === 0) return { kind: "wait", why: "noAddress" };
  const endpoints = new Map<string, Endpoint>();
  for (const { address, port } of known) {
    const key = endpointKey({ address, port });
    if ((avoid.get(key) ?? Number.NEGATIVE_INFINITY) > now || endpoints.size >= MOST_TRIED) continue;
    if (!endpoints.has(key)) endpoints.set(key, { address, port });
  }
  if (endpoints.size === 0) return { kind: "wait", why: "otherNodeThere" };
  return { kind: "try", endpoints: [...endpoints.values()] };
}

/** For people and as a map key: `192.168.1.7:4000`, `[fe80::1]:4000`. */
export function endpointKey({ address, port }: Endpoint): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
