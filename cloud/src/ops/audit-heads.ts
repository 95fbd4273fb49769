/**
 * The heads of all chains, to be stored where the database's administrators cannot write: an attacker who can write the
 * whole database could recompute a chain from a changed entry on, or delete it. A comparison with earlier heads reveals
 * both.
 */
import type { AuditChainRow, Store } from "../store/index.ts";
import { chainOf, chainsAfter, linksOf } from "./audit-service-queries.ts";
import type { ChainFinding } from "./audit-verify.ts";

/** Chains read at once. */
const PAGE = 500;

/** The end of a chain at the time it was recorded. */
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
