/** Verifies every chain of the audit, even while the service writes, and reports invalid entries. */
import type { AuditChainRow, Store } from "../store/index.ts";
import {
  ChainWalk,
  chainOf,
  chainsAfter,
  entryWithoutLink,
  type Finding,
  linkOutsideChains,
  linksOf,
} from "./audit-service-queries.ts";

/** Chains read at once. */
const PAGE = 500;

/**
 * The end of a chain at the time it was recorded. Heads are to be stored where the database's administrators cannot write: an attacker
 * who can write the whole database could recompute a chain from a changed entry on, or delete it; a comparison reveals both.
 */
export interface AuditHead {
  readonly chain: string;
  readonly sequence: number;
  readonly link: string;
  readonly erased: boolean;
}

/** The current heads. @throws "Service Unavailable" */
export async function auditHeads(store: Store): Promise<AuditHead[]> {
  const heads: AuditHead[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const chains: AuditChainRow[] = await chainsAfter(store, after, PAGE);
    for (const { id: chain, sequence, link, erased_at } of chains)
      heads.push({ chain, sequence, link, erased: erased_at !== null });
    after = chains.at(-1)?.id;
  }
  return heads;
}

/** Differences from the recorded heads. @throws "Service Unavailable" */
export async function compareHeads(store: Store, noted: readonly AuditHead[]): Promise<ChainFinding[]> {
  const findings: ChainFinding[] = [];
  for (const { chain: id, sequence, link, erased } of noted) {
    const chain = await chainOf(store, id);
    if (!chain) {
      // The chain of an erased account is deleted by retention.
      if (!erased) findings.push({ chain: id, subject: undefined, sequence, fault: "missing" });
      continue;
    }
    // The recorded head has expired.
    if (sequence < chain.base_sequence) continue;
    const now = sequence === chain.base_sequence ? chain.base_link : (await linksOf(store, chain, sequence - 1, 1))[0];
    const found = typeof now === "string" ? { link: now, entry: undefined } : now;
    if (found?.link === link) continue;
    const subject = chain.subject ?? undefined;
    findings.push({ chain: id, subject, sequence, fault: found ? "replaced" : "missing", entry: found?.entry });
  }
  return findings;
}

/** Maximum walks of a chain that is shortened or erased during a walk. */
const WALKS = 5;

/** The first invalid entry of a chain. */
export interface ChainFinding extends Finding {
  readonly chain: string;
  /** Ecosystem or account; undefined for an erased one, or a missing chain. */
  readonly subject: string | undefined;
}

interface AuditVerdict {
  readonly chains: number;
  /** Valid entries that exist. */
  readonly held: number;
  /** Entries of erased accounts with valid links. */
  readonly erased: number;
  readonly findings: readonly ChainFinding[];
}

/** @throws "Service Unavailable" */
export async function verifyAudit(store: Store): Promise<AuditVerdict> {
  const verdict = { chains: 0, held: 0, erased: 0, findings: [] as ChainFinding[] };
  for (let after: string | undefined = ""; after !== undefined; ) {
    const chains: AuditChainRow[] = await chainsAfter(store, after, PAGE);
    for (const chain of chains) {
      const { held, erased, finding } = await walked(store, chain.id);
      verdict.chains += 1;
      verdict.held += held;
      verdict.erased += erased;
      if (finding) verdict.findings.push({ ...finding, chain: chain.id, subject: chain.subject ?? undefined });
    }
    after = chains.at(-1)?.id;
  }
  verdict.findings.push(...(await outsideChains(store)));
  return verdict;
}

/** Entries and links outside all chains. */
async function outsideChains(store: Store): Promise<ChainFinding[]> {
  const [entry, link] = [await entryWithoutLink(store), await linkOutsideChains(store)];
  const findings: ChainFinding[] = [];
  if (entry) {
    const { chain_id, sequence, ecosystem_id, account_id } = entry;
    const subject = ecosystem_id ?? account_id;
    findings.push({ chain: chain_id ?? "", subject, sequence: sequence ?? 0, fault: "added", entry });
  }
  if (link) findings.push({ ...link, subject: link.subject ?? undefined, fault: "added" });
  return findings;
}

interface Walked {
  readonly held: number;
  readonly erased: number;
  readonly finding: Finding | undefined;
}

async function walked(store: Store, id: string): Promise<Walked> {
  let chain = await chainOf(store, id);
  for (let walks = 1; chain; walks++) {
    const result = await walkedOnce(store, chain);
    const now: AuditChainRow | undefined = result.finding && (await chainOf(store, id));
    const isSame = now?.base_sequence === chain.base_sequence && now.erased_at === chain.erased_at;
    if (!result.finding || isSame || walks === WALKS) return result;
    chain = now;
  }
  return { held: 0, erased: 0, finding: undefined };
}

async function walkedOnce(store: Store, chain: AuditChainRow): Promise<Walked> {
  const walk = new ChainWalk(chain);
  let finding: Finding | undefined;
  for (let after = chain.base_sequence; finding === undefined; ) {
    const links = await linksOf(store, chain, after, PAGE);
    for (const link of links) finding ??= walk.take(link);
    const last = links.at(-1);
    if (!last) {
      finding ??= walk.end();
      break;
    }
    after = last.sequence;
  }
  return { ...walk.counts, finding };
}
