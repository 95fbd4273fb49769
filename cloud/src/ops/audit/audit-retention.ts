/**
 * The audit is kept so long: a chain loses its oldest entries, and the chain of an account that has been erased goes as a whole. A chain
 * that cannot be shortened stays as it is, and no other waits for it.
 */
import type { Log } from "@porchlight/shared/kernel";
import { shortenChain } from "../../access/index.ts";
import { type Store, statement } from "../../store/index.ts";
import { chainsOlderThan, erasedChains } from "./audit-service-queries.ts";

/** Rows of one job. */
const SLICE = 500;

const dropChain = statement<{ chain: string }>("drop_erased_chain")((db, p) =>
  db.deleteFrom("audit_chains").where("id", "=", p.chain).whereRef("base_sequence", "=", "sequence"),
);

/** @param before wall clock, ms: what is older goes @param goOn asked between jobs @throws "Service Unavailable" */
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
