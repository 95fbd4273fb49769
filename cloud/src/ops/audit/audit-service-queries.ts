/** The questions about the chains of the audit, which belong to accounts and to what has been erased: for keeping and verifying them. */
import { type AuditChainRow, type AuditEntryRow, type Store, statement } from "../../store/index.ts";
import type { FoundLink } from "./audit-walk.ts";

/** Chains read at once by the sweep. */
const PAGE = 500;

const oldChains = statement<{ before: number; after: string }>("chains_with_old_entries")((db, p) =>
  db
    .selectFrom("audit_entries")
    .select("chain_id")
    .distinct()
    .where("at", "<", p.before)
    .where("chain_id", ">", p.after)
    .orderBy("chain_id")
    .limit(PAGE),
);

/** IDs, in order, of chains with entries of before that time. @param before wall clock, ms @param after the last one of those before */
export async function chainsOlderThan(store: Store, before: number, after: string): Promise<string[]> {
  const rows = await store.service.all(oldChains, { before, after });
  return rows.flatMap(({ chain_id }) => chain_id ?? []);
}

const erased = statement<{ before: number }>("chains_erased_before")((db, p) =>
  db.selectFrom("audit_chains").select("id").where("erased_at", "<", p.before).orderBy("id").limit(PAGE),
);

/** IDs of chains of accounts that were erased before that time. @param before wall clock, ms */
export async function erasedChains(store: Store, before: number): Promise<string[]> {
  return (await store.service.all(erased, { before })).map(({ id }) => id);
}

const nextChains = statement<{ after: string; limit: number }>("chains_after")((db, p) =>
  db.selectFrom("audit_chains").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

/** Chains after the one with that ID, in order. */
export function chainsAfter(store: Store, after: string, limit: number): Promise<AuditChainRow[]> {
  return store.service.all(nextChains, { after, limit });
}

const oneChain = statement<{ chain: string }>("chain_to_verify")((db, p) =>
  db.selectFrom("audit_chains").selectAll().where("id", "=", p.chain),
);

export async function chainOf(store: Store, chain: string): Promise<AuditChainRow | undefined> {
  return (await store.service.all(oneChain, { chain }))[0];
}

type Part = { chain: string; after: number; end: number; limit: number };
const links = statement<Part>("links_of_chain")((db, p) =>
  db
    .selectFrom("audit_links")
    .selectAll()
    .where("chain_id", "=", p.chain)
    .where("sequence", ">", p.after)
    .where("sequence", "<=", p.end)
    .orderBy("sequence")
    .limit(p.limit),
);
const entries = statement<Omit<Part, "limit">>("entries_of_chain")((db, p) =>
  db
    .selectFrom("audit_entries")
    .selectAll()
    .where("chain_id", "=", p.chain)
    .where("sequence", ">", p.after)
    .where("sequence", "<=", p.end),
);

/** Links of a chain after that number, none beyond its head, with what stands at their places. */
export async function linksOf(
  store: Store,
  { id: chain, sequence: end }: Pick<AuditChainRow, "id" | "sequence">,
  after: number,
  limit: number,
): Promise<FoundLink[]> {
  const found = await store.service.all(links, { chain, after, end, limit });
  const last = found.at(-1);
  if (!last) return [];
  const standing = await store.service.all(entries, { chain, after, end: last.sequence });
  const bySequence = new Map(standing.map((entry) => [entry.sequence, entry]));
  return found.map(({ sequence, digest, link }) => ({ sequence, digest, link, entry: bySequence.get(sequence) }));
}

const strayEntry = statement<Record<never, never>>("entry_outside_chains")((db) =>
  db
    .selectFrom("audit_entries")
    .leftJoin("audit_links", (join) =>
      join
        .onRef("audit_links.chain_id", "=", "audit_entries.chain_id")
        .onRef("audit_links.sequence", "=", "audit_entries.sequence"),
    )
    .selectAll("audit_entries")
    .where("audit_links.chain_id", "is", null)
    .orderBy("audit_entries.id")
    .limit(1),
);

/** The first entry that has no link. */
export async function entryWithoutLink(store: Store): Promise<AuditEntryRow | undefined> {
  return (await store.service.all(strayEntry, {}))[0];
}

const strayLink = statement<Record<never, never>>("link_outside_chains")((db) =>
  db
    .selectFrom("audit_links")
    .leftJoin("audit_chains", "audit_chains.id", "audit_links.chain_id")
    .select(["audit_links.chain_id as chain", "audit_chains.subject", "audit_links.sequence"])
    .where((of) =>
      of.or([
        of("audit_chains.id", "is", null),
        of("audit_links.sequence", ">", of.ref("audit_chains.sequence")),
        of("audit_links.sequence", "<=", of.ref("audit_chains.base_sequence")),
      ]),
    )
    .orderBy("audit_links.chain_id")
    .orderBy("audit_links.sequence")
    .limit(1),
);

/** The first link that no chain knows of, or that stands before the beginning of its chain or behind its end. */
export async function linkOutsideChains(store: Store) {
  return (await store.service.all(strayLink, {}))[0];
}
