/** The write job with which a hub gives its token back: what the owner could do by the API, when the hub itself is to forget. */
import { audit, type Tokens } from "../../access/index.ts";
import type { Store } from "../../store/index.ts";
import { type Hub, standingOf } from "./hub.ts";

export interface TakeBackDeps {
  readonly store: Store;
  readonly tokens: Pick<Tokens, "revoke">;
}

/** A hub and the credential with which it came. */
export interface GivenBack {
  readonly hub: Hub;
  readonly tokenId: string;
  readonly address: string;
}

/**
 * Revokes the token; its tunnel ends with it. The client stays, with its devices, until somebody deletes it.
 * @throws Superseded, "Token Not Found" when it is revoked already
 */
export function takeBack({ store, tokens }: TakeBackDeps, { hub, tokenId, address }: GivenBack): Promise<void> {
  const { ecosystemId, clientId } = hub;
  return store.write(ecosystemId, async (tx) => {
    await standingOf(tx, hub);
    await tokens.revoke(tx, clientId, tokenId);
    const actor = { kind: "client", clientId, tokenId, address } as const;
    await audit(tx, actor, "token.revoked", tokenId, { subjectId: clientId, unpaired: true });
  });
}
