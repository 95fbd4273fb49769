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

/** Chains and links read at once. */
const PAGE = 500;
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
