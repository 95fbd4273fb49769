/** The first steps, and which of them the service has seen as done. */
import type { Token, Webhook } from "@porchlight/shared/api";
import { hasConnected } from "../../data/hubs.ts";

interface Seen {
  readonly tokens: readonly Pick<Token, "id" | "lastUsedAt">[];
  readonly hubs: readonly { readonly connection: Parameters<typeof hasConnected>[0] }[];
  readonly webhooks: readonly Pick<Webhook, "id">[];
}

/** A home needs a hub. The other steps are for developers, and optional. */
type FirstStep = "hub" | "token" | "call" | "webhook";
export type Done = Readonly<Record<FirstStep, boolean>>;

/** Ignores the portal's own calls: the portal calls as a log-in, the steps count tokens of users and servers. */
export function doneOf({ tokens, hubs, webhooks }: Seen): Done {
  return {
    hub: hubs.some(({ connection }) => hasConnected(connection)),
    token: tokens.length > 0,
    call: lastUsed(tokens) !== undefined,
    webhook: webhooks.length > 0,
  };
}

/** ID of the most recently used token; undefined when none was used. */
export function lastUsed(tokens: Seen["tokens"]): string | undefined {
  return tokens
    .filter(({ lastUsedAt }) => lastUsedAt !== undefined)
    .toSorted((one, other) => (one.lastUsedAt ?? "").localeCompare(other.lastUsedAt ?? ""))
    .at(-1)?.id;
}

/** A curl command that works as pasted and lists the devices of an environment. @param origin the service's address, without `/api` */
export function firstCall(origin: string, token: string, environmentId: string): string {
  return `curl -s -H 'authorization: Bearer ${token}' \\
  '${origin}/api/devices?environmentId=${environmentId}'`;
}
