/** The first steps, and which of them the service has seen. */
import type { Token, Webhook } from "@porchlight/shared/api";
import { hasConnected } from "../../data/away-since.ts";

export interface Seen {
  readonly tokens: readonly Pick<Token, "id" | "lastUsedAt">[];
  readonly hubs: readonly { readonly connection: Parameters<typeof hasConnected>[0] }[];
  readonly webhooks: readonly Pick<Webhook, "id">[];
}

/** A home needs a hub. The others are for developers, and optional. */
export type FirstStep = "hub" | "token" | "call" | "webhook";
export type Done = Readonly<Record<FirstStep, boolean>>;

/** The portal's own tokens are none of these: it calls as a log-in, and steps are taken by users and servers. */
export function doneOf({ tokens, hubs, webhooks }: Seen): Done {
  return {
    hub: hubs.some(({ connection }) => hasConnected(connection)),
    token: tokens.length > 0,
    call: lastUsed(tokens) !== undefined,
    webhook: webhooks.length > 0,
  };
}

/** ID of the token that was used last; undefined when none ever was. */
export function lastUsed(tokens: Seen["tokens"]): string | undefined {
  return tokens
    .filter(({ lastUsedAt }) => lastUsedAt !== undefined)
    .toSorted((one, other) => (one.lastUsedAt ?? "").localeCompare(other.lastUsedAt ?? ""))
    .at(-1)?.id;
}

/** Lines that work when they are pasted: the devices of an environment. @param origin the service's address, without `/api` */
export function firstCall(origin: string, token: string, environmentId: string): string {
  return `curl -s -H 'authorization: Bearer ${token}' \\
  '${origin}/api/devices?environmentId=${environmentId}'`;
}
