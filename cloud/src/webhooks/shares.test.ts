/** Which node sends which webhooks, as each decides it for itself: fairly, all of them, and without moving more than must. */
import { seededRandom } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { movesOf, SHARES, shareOf } from "./shared-claims.ts";

/** All nodes move until none does. Gives who has what, and how many shares changed hands. */
function settled(nodes: readonly string[], owners: Map<number, string>): number {
  let moved = 0;
  for (let isMoving = true; isMoving; ) {
    isMoving = false;
    const seen = new Map([...owners].filter(([, node]) => nodes.includes(node)));
    owners.clear();
    for (const [share, node] of seen) owners.set(share, node);
    for (const node of nodes) {
      const { take, give } = movesOf({ nodes, owners: seen }, node);
      for (const share of give) if (owners.get(share) === node) owners.delete(share);
      for (const share of take) {
        expect(owners.has(share), "two take one share").toBe(false);
        owners.set(share, node);
      }
      moved += take.length;
      isMoving ||= take.length + give.length > 0;
    }
  }
  return moved;
}

function counts(nodes: readonly string[], owners: ReadonlyMap<number, string>): number[] {
  return nodes.map((node) => [...owners.values()].filter((owner) => owner === node).length);
}

describe("the shares of webhooks", () => {
  it("are all the first node's", () => {
    const owners = new Map<number, string>();
    settled(["node_1"], owners);
    expect(counts(["node_1"], owners)).toEqual([SHARES]);
  });

  it("move to a node that comes until all have as many, and no others move", () => {
    const owners = new Map<number, string>();
    settled(["b", "c"], owners);
    expect(settled(["b", "c", "a"], owners)).toBe(86);
    expect(counts(["a", "b", "c"], owners)).toEqual([86, 85, 85]);
  });

  it("of a node that goes are taken by the others, and no others move", () => {
    const owners = new Map<number, string>();
    settled(["a", "b", "c", "d"], owners);
    expect(settled(["a", "c", "d"], owners)).toBeLessThanOrEqual(66);
    expect(counts(["a", "c", "d"], owners)).toEqual([86, 85, 85]);
  });

  it("settle on one node each, while nodes start and stop", () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = seededRandom(seed);
      const owners = new Map<number, string>();
      let nodes: string[] = [];
      for (let step = 0; step < 12; step += 1) {
        if (nodes.length === 0 || random.fraction() < 0.6) nodes.push(`node_${random.fraction()}`);
        else nodes = nodes.filter((_, at) => at !== Math.floor(random.fraction() * nodes.length));
        if (nodes.length === 0) continue;
        settled(nodes, owners);
        const all = counts(nodes, owners);
        expect(owners.size, `seed ${seed}`).toBe(SHARES);
        expect(Math.max(...all) - Math.min(...all), `seed ${seed}`).toBeLessThanOrEqual(1);
      }
    }
  });

  it("are computed from a webhook's ID alone, the same on every release", () => {
    expect(["whk_1", "whk_2", "whk_01kah3q2jv0000000000000000"].map(shareOf)).toEqual([63, 210, 21]);
  });
});
