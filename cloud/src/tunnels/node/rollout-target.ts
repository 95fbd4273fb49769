/**
 * Whether this node is being replaced: pure. While nodes are rolled out, a hub that an old node has sent away would come to another
 * old one, and be sent away again; so old nodes take in no hubs while a young one is there to take them.
 */

export interface AgedNode {
  readonly id: string;
  /** Wall clock of the nodes, ms. */
  readonly started_at: number;
}

/** The nodes, as this one saw them last. */
export interface LivingNodes {
  /** ID of this node. */
  readonly self: string;
  /** All that live, this one too; empty before they were looked at, and where there is only ever one. */
  readonly living: readonly AgedNode[];
}

export interface RolloutPolicy {
  /** A node that started so much later is of another rollout than this one, ms. */
  readonly youngerByMs: number;
  /** For so long after the start of a node those that are older than its rollout send hubs on to it, ms; 0 is never. */
  readonly rolloutMs: number;
}

/** The youngest of the others; undefined for a lone node. */
export function youngest({ self, living }: LivingNodes): AgedNode | undefined {
  let found: AgedNode | undefined;
  for (const node of living) if (node.id !== self && node.started_at > (found?.started_at ?? -1)) found = node;
  return found;
}

/**
 * The node that must have the hubs that come to this one, while it must have them.
 * @param now wall clock of the nodes, ms
 */
export function rolloutTarget(nodes: LivingNodes, now: number, policy: RolloutPolicy): AgedNode | undefined {
  const own = nodes.living.find(({ id }) => id === nodes.self);
  const young = youngest(nodes);
  if (!own || !young) return undefined;
  const replaces = young.started_at - own.started_at > policy.youngerByMs;
  return replaces && now - young.started_at < policy.rolloutMs ? young : undefined;
}
