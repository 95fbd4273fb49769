/**
 * The hash chains of the audit. Each entry is bound to all earlier entries of its ecosystem or, for an entry outside any
 * ecosystem, of its account.
 *
 * Invariants:
 * - Entry, link and the chain's head are stored in one job: all or none. A writer locks the head's row first, so that writers of
 *   one chain take turns, on any number of nodes.
 * - Only the oldest entries of a chain are ever deleted, and the chain keeps the link of the last deleted entry.
 * - After an account is erased, only digests and links remain; the entries that they were computed from, and the salt, are deleted.
 */

import { BoundedMap, type Clock } from "@porchlight/shared/kernel";
import { type AuditEntryRow, entryDigest, nextLink, statement, type Transaction } from "../store/index.ts";

type Taken = { id: string; account: string | null; eco: string | null };
/** Locks the head's row until the commit; the first entry of a chain creates it. */
const takeChain = statement<Taken>("take_audit_chain")((db, p) =>
  db
    .insertInto("audit_chains")
    .values((of) => ({
      id: p.id,
      // For a server, a user or a client: the account that owns the ecosystem.
      account_id: of.fn.coalesce(
        of.val(p.account),
        of.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco),
        of.val(""),
      ),
      subject: of.fn.coalesce(of.val(p.eco), of.val(p.account), of.val("")),
      sequence: 0,
      link: p.id,
      base_sequence: 0,
      base_link: p.id,
      erased_at: null,
    }))
    .onConflict((conflict) =>
      conflict.column("subject").doUpdateSet((of) => ({ sequence: of.ref("audit_chains.sequence") })),
    )
    .returning(["id", "account_id", "sequence", "link"]),
);
type Placed = { chain: string; sequence: number; link: string };
const moveHead = statement<Placed>("move_audit_chain")((db, p) =>
  db.updateTable("audit_chains").set({ sequence: p.sequence, link: p.link }).where("id", "=", p.chain),
);
const insertLink = statement<Placed & { digest: string }>("insert_audit_link")((db, p) =>
  db.insertInto("audit_links").values({ chain_id: p.chain, sequence: p.sequence, digest: p.digest, link: p.link }),
);
// A type rather than an interface, because an interface has no index signature.
const insertEntry = statement<Pick<AuditEntryRow, keyof AuditEntryRow>>("insert_audit_entry")((db, p) =>
  db.insertInto("audit_entries").values({
    account_id: p.account_id,
    id: p.id,
    ecosystem_id: p.ecosystem_id,
    at: p.at,
    actor_type: p.actor_type,
    actor_id: p.actor_id,
    token_id: p.token_id,
    address: p.address,
    action: p.action,
    object_id: p.object_id,
    detail: p.detail,
    chain_id: p.chain_id,
    sequence: p.sequence,
    salt: p.salt,
  }),
);

/** @param account that the entry belongs to; null: the account that owns the ecosystem */
async function appendToChain(
  tx: Transaction,
  account: string | null,
  facts: Omit<AuditEntryRow, "account_id" | "chain_id" | "sequence" | "salt">,
): Promise<void> {
  const chains = await tx.all(takeChain, { id: tx.ids.salt(), account, eco: facts.ecosystem_id });
  for (const chain of chains) {
    const sequence = chain.sequence + 1;
    const salt = tx.ids.salt();
    const entry = { account_id: account ?? chain.account_id ?? "", ...facts };
    const digest = entryDigest(entry, salt);
    const link = nextLink(chain.link, digest, sequence);
    await tx.run(insertEntry, { ...entry, chain_id: chain.id, sequence, salt });
    await tx.run(insertLink, { chain: chain.id, sequence, digest, link });
    await tx.run(moveHead, { chain: chain.id, sequence, link });
  }
}

const takeChainById = statement<{ chain: string }>("take_audit_chain_by_id")((db, p) =>
  db
    .updateTable("audit_chains")
    .set((of) => ({ sequence: of.ref("sequence") }))
    .where("id", "=", p.chain)
    .returning(["sequence", "base_sequence"]),
);
const firstKept = statement<{ chain: string; after: number; before: number }>("first_kept_audit_entry")((db, p) =>
  db
    .selectFrom("audit_entries")
    .select("sequence")
    .where("chain_id", "=", p.chain)
    .where("sequence", ">", p.after)
    .where("at", ">=", p.before)
    .orderBy("sequence")
    .limit(1),
);
type Place = { chain: string; sequence: number };
const linkAt = statement<Place>("audit_link_at")((db, p) =>
  db.selectFrom("audit_links").select("link").where("chain_id", "=", p.chain).where("sequence", "=", p.sequence),
);
const dropEntries = statement<Place>("drop_audit_entries")((db, p) =>
  db.deleteFrom("audit_entries").where("chain_id", "=", p.chain).where("sequence", "<=", p.sequence),
);
const dropLinks = statement<Place>("drop_audit_links")((db, p) =>
  db.deleteFrom("audit_links").where("chain_id", "=", p.chain).where("sequence", "<=", p.sequence),
);
const moveBase = statement<Placed>("move_audit_chain_base")((db, p) =>
  db.updateTable("audit_chains").set({ base_sequence: p.sequence, base_link: p.link }).where("id", "=", p.chain),
);

/**
 * Deletes the oldest entries of a chain, up to the first that is not older than `before`, and records where the chain now begins.
 * A chain that misses the link there is left unchanged, so that it can be investigated.
 * @param before wall clock, ms @param most entries deleted in one job @returns the number of deleted entries
 */
export async function shortenChain(tx: Transaction, chain: string, before: number, most: number): Promise<number> {
  const [held] = await tx.all(takeChainById, { chain });
  if (!held) return 0;
  const after = held.base_sequence;
  const [kept] = await tx.all(firstKept, { chain, after, before });
  const sequence = Math.min((kept?.sequence ?? held.sequence + 1) - 1, after + most);
  if (sequence <= after) return 0;
  const [last] = await tx.all(linkAt, { chain, sequence });
  if (!last) return 0;
  await tx.run(dropEntries, { chain, sequence });
  await tx.run(dropLinks, { chain, sequence });
  await tx.run(moveBase, { chain, sequence, link: last.link });
  return sequence - after;
}

const eraseChains = statement<{ account: string; now: number }>("erase_audit_chains")((db, p) =>
  db
    .updateTable("audit_chains")
    .set({ account_id: null, subject: null, erased_at: p.now })
    .where("account_id", "=", p.account),
);

/** Marks the account's chains as erased and removes their owner: a check no longer reports their missing entries as a fault. */
export async function eraseAuditChains(tx: Transaction, account: string): Promise<void> {
  await tx.run(eraseChains, { account, now: tx.now() });
}

/** The actor of an audit entry. Every `Caller` is an actor; `service` is the service itself, without a request. */
export type Actor = {
  /** ID of the credential; absent for a sign-up. */
  readonly tokenId?: string | undefined;
  /** Network address of the request; absent without a request. */
  readonly address?: string | undefined;
} & (
  | { readonly kind: "account"; readonly accountId: string }
  | { readonly kind: "server"; readonly serverId: string }
  | { readonly kind: "user"; readonly userId: string }
  | { readonly kind: "client"; readonly clientId: string }
  | { readonly kind: "service" }
  /** A caller who has not proved to be the account. */
  | { readonly kind: "unknown"; readonly accountId: string }
);

/** Details that the account may read: never a secret, never `meta`. Undefined members are left out. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Records who did what, from where, to which object, as the next entry of a chain and in the job of the change: both commit or
 * neither does. Every use-case that writes calls it, except property writes, whose record is the command. The entry belongs to
 * the account and outlives the ecosystem.
 * @param actor the use-case's caller
 * @param action kind of object and past participle: `zone.created`, `user.deleted`, `token.revoked`
 * @param objectId the object that the action was performed on
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

const SAME_READING_MS = 60_000;
/** Reads remembered. */
const CAPACITY = 10_000;

/** Limits audit entries for reads: one entry a minute for each object and token, so that a loop of reads does not fill the audit. */
export class Readings {
  readonly #clock: Pick<Clock, "monotonic">;
  /** Time of the recorded read by token and object, monotonic ms. */
  readonly #recorded = new BoundedMap<string, number>(CAPACITY);

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Records a read, unless the same was recorded in the last minute. @param id of the object read @throws what `store` throws */
  async record(tokenId: string, id: string, store: () => Promise<unknown>): Promise<void> {
    const key = `${tokenId} ${id}`;
    const before = this.#recorded.get(key);
    const now = this.#clock.monotonic();
    if (before !== undefined && now - before < SAME_READING_MS) return;
    await store();
    this.#recorded.set(key, now);
  }
}
