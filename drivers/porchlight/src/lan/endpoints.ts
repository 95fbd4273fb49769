/** Where a node must be looked for next: pure. What is announced counts; what once worked is tried when nothing else does. */
import type { Endpoint, Sighting } from "./sightings.ts";

/** What is known of the ways to a node. */
export interface Ways {
  /** As it is announced; undefined while it is not. */
  readonly sighting: Sighting | undefined;
  /** Where the node was last met, and whether it wanted TLS. */
  readonly met: (Endpoint & { readonly tls: boolean }) | undefined;
  readonly hasKey: boolean;
  /** Until when a place is avoided, because another node was met there; monotonic ms, by `endpointKey`. */
  readonly avoid: Pick<ReadonlyMap<string, number>, "get">;
}

export type Plan =
  | { readonly kind: "try"; readonly endpoints: readonly Endpoint[] }
  | { readonly kind: "wait"; readonly why: "notSeen" | "noAddress" | "needsKey" | "otherNodeThere" };

/** At most so many places are tried in one go. */
const MOST_TRIED = 6;

export function planWays({ sighting, met, hasKey, avoid }: Ways, now: number): Plan {
  if (!sighting && !met) return { kind: "wait", why: "notSeen" };
  // Without a key there is no speaking with a node that wants one, wherever it is.
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

/** For people and for maps: `192.168.1.7:4000`, `[fe80::1]:4000`. */
export function endpointKey({ address, port }: Endpoint): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
