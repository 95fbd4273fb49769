/**
 * Who did what, from where, to which object: every use-case that writes says so in the job that makes it true. Property writes
 * do not: their record is the command. The entry belongs to the account, and outlives the ecosystem that it tells of. It is the
 * next of a chain, so that no change goes unseen.
 */
import type { Transaction } from "../../store/index.ts";
import { appendToChain } from "./audit-chain.ts";

/** Who acts. Every `Caller` is one; `service` is the service itself, without a request. */
export type Actor = {
  /** The credential; of a sign-up there is none. */
  readonly tokenId?: string | undefined;
  /** Where the request came from; absent without a request. */
  readonly address?: string | undefined;
} & (
  | { readonly kind: "account"; readonly accountId: string }
  | { readonly kind: "server"; readonly serverId: string }
  | { readonly kind: "user"; readonly userId: string }
  | { readonly kind: "client"; readonly clientId: string }
  | { readonly kind: "service" }
  /** Somebody who has not proved to be the account. */
  | { readonly kind: "unknown"; readonly accountId: string }
);

/** More about it, to be read by the account: never a secret, never `meta`. Undefined is left out. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Leaves an audit entry, in the job of what it tells of: it is committed with it or not at all.
 * @param actor the use-case's caller
 * @param action kind of object and what was done: `zone.created`, `user.deleted`, `token.revoked`
 * @param objectId whom or what it was done to
 */
export async function audit(
  tx: Transaction,
  actor: Actor,
  action: `${string}.${string}`,
  objectId: string | undefined,
  detail: AuditDetail = {},
): Promise<void> {
  await appendToChain(tx, "accountId" in actor ? actor.accountId : null, {
    id: tx.ids.next("aud"),
    ecosystem_id: tx.ecosystemId === "" ? null : tx.ecosystemId,
    at: tx.now(),
    actor_type: actor.kind,
    actor_id: actorId(actor) ?? null,
    token_id: actor.tokenId ?? null,
    address: actor.address ?? null,
    action,
    object_id: objectId ?? null,
    detail: JSON.stringify(detail),
  });
}

function actorId(actor: Actor): string | undefined {
  switch (actor.kind) {
    case "account":
      return actor.accountId;
    case "server":
      return actor.serverId;
    case "user":
      return actor.userId;
    case "client":
      return actor.clientId;
    case "service":
    case "unknown":
      return undefined;
  }
}
