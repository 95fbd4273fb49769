/**
 * Decides whether this node is being replaced: pure. During a rollout, a hub that leaves an old node could reach
 * another old node and have to move again; so old nodes admit no hubs while a young node is there to take them.
 */

export interface AgedNode {
  readonly id: string;
  /** Wall clock of the nodes, ms. */
  readonly started_at: number;
}

/** The nodes as of this node's last look. */
export interface LivingNodes {
  /** ID of this node. */
  readonly self: string;
  /** All live nodes, including this one; empty before the first look, and for a single node. */
  readonly living: readonly AgedNode[];
}

export interface RolloutPolicy {
  /** A node that started this much later belongs to another rollout, ms. */
  readonly youngerByMs: number;
  /** How long after the start of a node the nodes of older rollouts redirect hubs to it, ms; 0 disables it. */
  readonly rolloutMs: number;
}

/** The youngest of the other nodes; undefined for a single node. */
export function youngest({ self, living }: LivingNodes): AgedNode | undefined {
  let found: AgedNode | undefined;
  for (const node of living) if (node.id !== self && node.started_at > (found?.started_at ?? -1)) found = node;
  return found;
}

/**
 * The node that hubs are redirected to; undefined when this node takes them.
 * @param now wall clock of the nodes, ms
 */
export function rolloutTarget(nodes: LivingNodes, now: number, policy: RolloutPolicy): AgedNode | undefined {
  const own = nodes.living.find(({ id }) => id === nodes.self);
  const young = youngest(nodes);
  if (!own || !young) return undefined;
  const replaces = young.started_at - own.started_at > policy.youngerByMs;
  return replaces && now - young.started_at < policy.rolloutMs ? young : undefined;
}
