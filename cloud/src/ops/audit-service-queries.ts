/** Queries about audit chains, which belong to accounts and to erased objects: for retention and verification. */

import type { Log } from "@porchlight/shared/kernel";
import { shortenChain } from "../access/index.ts";
import {
  type AuditChainRow,
  type AuditEntryRow,
  entryDigest,
  nextLink,
  type Store,
  statement,
} from "../store/index.ts";

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

/** IDs, in order, of chains with entries from before that time. @param before wall clock, ms @param after ID after which it begins */
async function chainsOlderThan(store: Store, before: number, after: string): Promise<string[]> {
  const rows = await store.service.all(oldChains, { before, after });
  return rows.flatMap(({ chain_id }) => chain_id ?? []);
}

const erased = statement<{ before: number }>("chains_erased_before")((db, p) =>
  db.selectFrom("audit_chains").select("id").where("erased_at", "<", p.before).orderBy("id").limit(PAGE),
);

/** IDs of chains of accounts that were erased before that time. @param before wall clock, ms */
async function erasedChains(store: Store, before: number): Promise<string[]> {
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

/** Links of a chain after that number, up to its head, with the entries at their numbers. */
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

/** The first link without a chain, or outside its chain's start and end. */
export async function linkOutsideChains(store: Store) {
  return (await store.service.all(strayLink, {}))[0];
}

/** A link as it was found, and the entry at its number. */
interface FoundLink {
  readonly sequence: number;
  readonly digest: string;
  readonly link: string;
  readonly entry: AuditEntryRow | undefined;
}

/** Why an entry is invalid. */
type Fault =
  /** There is no entry at the number. */
  | "missing"
  /** The entry differs from the stored one: edited, or moved. */
  | "changed"
  /** The link differs from the stored one: earlier entries, or their order, have changed. */
  | "unbound"
  /** The chain does not contain the entry. */
  | "added"
  /** The link differs from the recorded head. */
  | "replaced";

export interface Finding {
  readonly sequence: number;
  readonly fault: Fault;
  /** The entry at its number now, if any. */
  readonly entry?: AuditEntryRow | undefined;
}

type WalkedChain = Pick<AuditChainRow, "sequence" | "link" | "base_sequence" | "base_link" | "erased_at">;

/** Verifies one chain link by link, without the store; the first invalid link ends it. */
export class ChainWalk {
  readonly #chain: WalkedChain;
  #sequence: number;
  #link: string;
  #held = 0;
  #erased = 0;

  constructor(chain: WalkedChain) {
    this.#chain = chain;
    this.#sequence = chain.base_sequence;
    this.#link = chain.base_link;
  }

  /** Valid entries so far; erased ones are counted separately. */
  get counts(): { readonly held: number; readonly erased: number } {
    return { held: this.#held, erased: this.#erased };
  }

  /** @param found in the order of numbers, up to the head */
  take({ sequence, digest, link, entry }: FoundLink): Finding | undefined {
    const expected = this.#sequence + 1;
    if (sequence !== expected) return { sequence: expected, fault: "missing" };
    if (!entry && this.#chain.erased_at === null) return { sequence, fault: "missing" };
    if (entry && entryDigest(entry, entry.salt ?? "") !== digest) return { sequence, fault: "changed", entry };
    if (nextLink(this.#link, digest, sequence) !== link) return { sequence, fault: "unbound", entry };
    this.#sequence = sequence;
    this.#link = link;
    if (entry) this.#held += 1;
    else this.#erased += 1;
    return undefined;
  }

  /** Called after the last link: checks that the chain ends as its head states. */
  end(): Finding | undefined {
    const { sequence, link } = this.#chain;
    if (this.#sequence < sequence) return { sequence: this.#sequence + 1, fault: "missing" };
    return this.#link === link ? undefined : { sequence, fault: "unbound" };
  }
}

/** Rows of one job. */
const SLICE = 500;

const dropChain = statement<{ chain: string }>("drop_erased_chain")((db, p) =>
  db.deleteFrom("audit_chains").where("id", "=", p.chain).whereRef("base_sequence", "=", "sequence"),
);

/**
 * Deletes expired entries: a chain loses its oldest ones, and the chain of an erased account is deleted whole. A chain
 * that cannot be shortened stays and does not delay others.
 * @param before wall clock, ms: older entries are deleted @param goOn called between jobs @throws "Service Unavailable"
 */
export async function sweepAudit(store: Store, log: Log, before: number, goOn: () => boolean): Promise<void> {
  const of = { loop: "audit_retention", log, about: (chain: string) => ({ chain }) } as const;
  const shorten = async (chain: string) => {
    while (goOn() && (await store.writeService((tx) => shortenChain(tx, chain, before, SLICE))) > 0);
  };
  for (let chains = await chainsOlderThan(store, before, ""); chains.length > 0 && goOn(); ) {
    await store.setAside.each(chains, {
      ...of,
      work: async (some) => {
        for (const chain of some) await shorten(chain);
      },
    });
    chains = await chainsOlderThan(store, before, chains.at(-1) ?? "");
  }
  await store.setAside.each(await erasedChains(store, before), {
    ...of,
    work: async (some) => {
      for (const chain of some) {
        await shorten(chain);
        await store.writeService((tx) => tx.run(dropChain, { chain }));
      }
    },
  });
}
