/**
 * The heads of all chains, to be kept where the database's administrators cannot write: a person who can write the whole database could
 * reckon a chain anew from the entry that they changed, or take all of it away. Against heads that were noted before, that is seen.
 */
import type { AuditChainRow, Store } from "../../store/index.ts";
import { chainOf, chainsAfter, linksOf } from "./audit-service-queries.ts";
import type { ChainFinding } from "./audit-verify.ts";

/** Chains read at once. */
const PAGE = 500;

/** Where a chain ended when it was noted. */
export interface AuditHead {
  readonly chain: string;
  readonly sequence: number;
  readonly link: string;
  readonly erased: boolean;
}

/** The heads of this moment. @throws "Service Unavailable" */
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

/** What is not as it was when the heads were noted. @throws "Service Unavailable" */
export async function compareHeads(store: Store, noted: readonly AuditHead[]): Promise<ChainFinding[]> {
  const findings: ChainFinding[] = [];
  for (const { chain: id, sequence, link, erased } of noted) {
    const chain = await chainOf(store, id);
    if (!chain) {
      // Of an erased account it goes by itself, when its time has come.
      if (!erased) findings.push({ chain: id, subject: undefined, sequence, fault: "missing" });
      continue;
    }
    // What was noted is too old to be kept.
    if (sequence < chain.base_sequence) continue;
    const now = sequence === chain.base_sequence ? chain.base_link : (await linksOf(store, chain, sequence - 1, 1))[0];
    const found = typeof now === "string" ? { link: now, entry: undefined } : now;
    if (found?.link === link) continue;
    const subject = chain.subject ?? undefined;
    findings.push({ chain: id, subject, sequence, fault: found ? "replaced" : "missing", entry: found?.entry });
  }
  return findings;
}
