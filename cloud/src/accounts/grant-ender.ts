/**
 * Ends the grants of an account besides its log-ins: all of them when an address is verified for the first time, and those that
 * the account made itself for short use after any reset. It uses one transaction for each ecosystem; each is safe to repeat.
 */
import type { PasswordResetResult } from "@porchlight/shared/api";
import type { Id } from "@porchlight/shared/kernel";
import {
  type Actor,
  audit,
  endLivingObject,
  livingObjects,
  type References,
  type Revocations,
} from "../access/index.ts";
import { type Store, statement, type Transaction } from "../store/index.ts";
import { ecosystemsOf } from "./service-queries.ts";

export type EndedGrants = Omit<PasswordResetResult["ended"], "sessions">;

/** Grants that other modules keep. Each function returns how many it has ended. */
export interface OtherGrants {
  readonly webhooks: { deleteAll(tx: Transaction, ecosystemId: string, actor: Actor): Promise<number> };
  readonly sinks: { deleteAll(tx: Transaction, ecosystemId: string, actor: Actor): Promise<number> };
  readonly pairings: { endApproved(tx: Transaction, ecosystemId: string): Promise<number> };
}

export interface GrantEnderDeps {
  readonly store: Store;
  readonly references: References;
  readonly revocations: Revocations;
  readonly otherGrants: OtherGrants;
}

/** Which grants end: all, or only those that the account made itself. */
export type Extent = "all" | "account's own";

const NONE: EndedGrants = {
  ...{ servers: 0, serverTokens: 0, userTokens: 0, clientTokens: 0, webhooks: 0, sinks: 0, pendingCodes: 0 },
};
/** Servers fetched at once. */
const SLICE = 100;

type Kinds = "srv" | "usr" | "cli";
const revokeOfKind = statement<{ eco: string; kind: Kinds; at: number }>("revoke_tokens_of_kind")((db, p) =>
  db
    .updateTable("tokens")
    .set({ revoked_at: p.at, sealed: null })
    .where("ecosystem_id", "=", p.eco)
    .where("kind", "=", p.kind)
    .where("revoked_at", "is", null)
    .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", p.at)])),
);
/** An account's user token lives at most a year, and the audit is kept longer, so it still names the token's maker. */
const revokeAccounts = statement<{ eco: string; account: string; at: number }>("revoke_user_tokens_of_account")(
  (db, p) =>
    db
      .updateTable("tokens")
      .set({ revoked_at: p.at, sealed: null })
      .where("ecosystem_id", "=", p.eco)
      .where("kind", "=", "usr")
      .where("revoked_at", "is", null)
      .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", p.at)]))
      .where("id", "in", (of) =>
        of
          .selectFrom("audit_entries")
          .select("object_id")
          .$castTo<{ object_id: string }>()
          .where("account_id", "=", p.account)
          .where("ecosystem_id", "=", p.eco)
          .where("action", "=", "token.created")
          .where("actor_type", "=", "account"),
      )
      .returning(["id", "subject_id"]),
);

export class GrantEnder {
  readonly #deps: GrantEnderDeps;

  constructor(deps: GrantEnderDeps) {
    this.#deps = deps;
  }

  /** @param actor of the audit entries: the account */
  async end(account: string, actor: Actor, extent: Extent): Promise<EndedGrants> {
    const { store } = this.#deps;
    const ended = { ...NONE };
    for (const eco of await ecosystemsOf(store, account)) {
      const here = await store.write(eco, async (tx) => {
        const counts = { ...NONE, ...(await this.#in(tx, eco, account, actor, extent)) };
        await audit(tx, actor, "account.access_ended", account, counts);
        return counts;
      });
      for (const [what, count] of Object.entries(here)) ended[what as keyof EndedGrants] += count;
    }
    return ended;
  }

  async #in(
    tx: Transaction,
    eco: string,
    account: string,
    actor: Actor,
    extent: Extent,
  ): Promise<Partial<EndedGrants>> {
    const { otherGrants, revocations } = this.#deps;
    const at = tx.now();
    const pendingCodes = await otherGrants.pairings.endApproved(tx, eco);
    if (extent === "account's own") {
      const tokens = await tx.all(revokeAccounts, { eco, account, at });
      for (const { id, subject_id: subjectId } of tokens)
        await revocations.end(tx, { kind: "token", tokenId: id, subjectId });
      return { pendingCodes, userTokens: tokens.length };
    }
    const servers = await this.#deleteServers(tx, eco, actor);
    const revoke = (kind: Kinds) => tx.run(revokeOfKind, { eco, kind, at });
    const serverTokens = await revoke("srv");
    const userTokens = await revoke("usr");
    const clientTokens = await revoke("cli");
    await revocations.end(tx, { kind: "ecosystem", subjectId: eco });
    const webhooks = await otherGrants.webhooks.deleteAll(tx, eco, actor);
    const sinks = await otherGrants.sinks.deleteAll(tx, eco, actor);
    return { pendingCodes, servers, serverTokens, userTokens, clientTokens, webhooks, sinks };
  }

  async #deleteServers(tx: Transaction, eco: string, actor: Actor): Promise<number> {
    const { references } = this.#deps;
    let count = 0;
    for (;;) {
      const servers = await livingObjects(tx, eco, "srv", "", SLICE);
      for (const { id } of servers) {
        // Trusted: the row is an object of that kind.
        const target = { ecosystemId: eco, environmentId: null, kind: "srv", id: id as Id<"srv"> } as const;
        await endLivingObject(tx, references, target, tx.now());
        await audit(tx, actor, "server.deleted", id);
      }
      count += servers.length;
      if (servers.length < SLICE) return count;
    }
  }
}
