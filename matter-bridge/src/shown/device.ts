/** A device of the hub as it is shown: who it is, whether it can be reached, its endpoints and their values. */
import type { ShownAs } from "../families/index.ts";
import type { Values } from "../parts/part.ts";

export interface ShownDevice {
  /** The hub's ID of it. */
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

/** What makes it another thing to a controller: its endpoints, their types and what their clusters can do. */
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
