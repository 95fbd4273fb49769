/**
 * Which devices a node is: itself, and each device behind it when it is a bridge. Pure.
 *
 * A bridge lists what is behind it as endpoints with information of their own; what stands below such an endpoint belongs to that device.
 */
import type { MatterEndpoint } from "../network/matter-network.ts";
import type { IndexedEndpoint } from "./describe.ts";

export const BRIDGED_INFORMATION = "bridgedDeviceBasicInformation";
const AGGREGATOR = 0x000e;
const ROOT = 0;
/** An index has at most three digits. */
const HIGHEST_INDEX = 999;

export interface NodePart {
  /** The endpoint that says what it is: 0 of the node itself. */
  readonly root: MatterEndpoint;
  readonly isBridged: boolean;
  readonly endpoints: readonly IndexedEndpoint[];
}

export function partsOf(endpoints: ReadonlyMap<number, MatterEndpoint>): readonly NodePart[] {
  const sorted = [...endpoints.values()].sort((a, b) => a.number - b.number);
  const root = endpoints.get(ROOT);
  if (!root) return [];
  const bridged = sorted.filter(({ clusters }) => clusters.has(BRIDGED_INFORMATION));
  const owners = new Map<number, number>();
  for (const owner of bridged) {
    owners.set(owner.number, owner.number);
    for (const part of below(owner, endpoints)) if (!owners.has(part)) owners.set(part, owner.number);
  }
  const own = sorted.filter(({ number }) => !owners.has(number) && number <= HIGHEST_INDEX);
  const node: NodePart = {
    root,
    isBridged: false,
    endpoints: own.map((endpoint) => ({ endpoint, index: String(endpoint.number) })),
  };
  return [node, ...bridged.map((each) => bridgedPart(each, sorted, owners))];
}

/** Behind a bridge the numbers are the bridge's, and may be large: the first has index 0, those below it follow. */
function bridgedPart(
  root: MatterEndpoint,
  sorted: readonly MatterEndpoint[],
  owners: ReadonlyMap<number, number>,
): NodePart {
  const rest = sorted.filter((each) => each !== root && owners.get(each.number) === root.number);
  const endpoints = [root, ...rest].map((endpoint, at) => ({ endpoint, index: String(at) }));
  return { root, isBridged: true, endpoints };
}

/** Endpoints below one, at whatever depth: those of other bridged devices are left out. */
function below(owner: MatterEndpoint, endpoints: ReadonlyMap<number, MatterEndpoint>): number[] {
  const found = new Set<number>();
  const look = (parts: readonly number[]) => {
    for (const number of parts) {
      const part = endpoints.get(number);
      if (!part || found.has(number) || part.clusters.has(BRIDGED_INFORMATION)) continue;
      found.add(number);
      look(part.parts);
    }
  };
  look(owner.parts);
  return [...found];
}

/** Whether the node stands for devices that are not its own. */
export function isBridge(endpoints: ReadonlyMap<number, MatterEndpoint>): boolean {
  return [...endpoints.values()].some(({ deviceTypes }) => deviceTypes.includes(AGGREGATOR));
}
