/** A device of the hub as presented to Matter: identity, reachability, endpoints and values. */
import type { ShownAs } from "./index.ts";
import type { Values } from "../parts/part.ts";

export interface ShownDevice {
  /** ID of the device at the hub. */
  readonly id: string;
  readonly name: string;
  readonly isReachable: boolean;
  readonly manufacturer: string;
  readonly model: string;
  readonly firmware: string;
  readonly serial: string;
  readonly shownAs: ShownAs;
  readonly values: Values;
}

/** Fingerprint of the endpoints, their types and cluster features; a device with another shape must be added again. */
export function shapeOf({ parts, battery, identify }: ShownAs): string {
  const shapes = parts.map(({ key, type, clusters }) => [key, type.code, clusters.map(shapeOfCluster)]);
  return JSON.stringify([shapes, battery && shapeOfCluster(battery), identify !== undefined]);
}

function shapeOfCluster({
  cluster,
  features,
  commands = {},
  writes = {},
}: ShownAs["parts"][number]["clusters"][number]) {
  return [cluster, features, Object.keys(commands), Object.keys(writes)];
}
