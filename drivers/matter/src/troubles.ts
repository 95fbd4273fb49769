/** Reasons why the hub lacks Matter devices: by name, in words, and what people can do. */
import { networkInterfaces } from "node:os";

export interface MatterTrouble {
  readonly why: "no_ipv6" | "not_reached";
  readonly says: string;
  readonly cure: string;
}

export interface NodeState {
  readonly name: string;
  readonly isConnected: boolean;
  /** How long the node has been away, ms. */
  readonly goneMs: number;
}

/** A device that has restarted, or sleeps, returns within this time, ms. */
const PATIENCE_MS = 120_000;
const MOST_SHOWN = 20;

/** Lists the troubles of the nodes. Pure. */
export function matterTroubles(nodes: readonly NodeState[], isIpv6There: boolean): readonly MatterTrouble[] {
  const gone = nodes.filter(({ isConnected, goneMs }) => !isConnected && goneMs > PATIENCE_MS);
  const away = gone.slice(0, MOST_SHOWN).map(
    ({ name }): MatterTrouble => ({
      why: "not_reached",
      says: `“${name}” does not answer.`,
      cure: "Check its power and its network. If it was reset, remove it on this hub and pair it again.",
    }),
  );
  return isIpv6There ? away : [NO_IPV6, ...away];
}

const NO_IPV6: MatterTrouble = {
  why: "no_ipv6",
  says: "This machine has no IPv6. Many Matter devices, and all that use Thread, are reached over IPv6 only.",
  cure: "Enable IPv6 on the hub's network interface (sysctl net.ipv6.conf.IFACE.disable_ipv6=0).",
};

/** One sentence for people; undefined when there is no trouble. */
export function sentenceOf(troubles: readonly MatterTrouble[]): string | undefined {
  const [first, ...others] = troubles;
  if (!first) return undefined;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${first.says} ${first.cure}${more}`;
}

/** Whether an interface other than the loopback has an IPv6 address; link-local ones count. */
export function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family, internal }) => family === "IPv6" && !internal),
  );
}
