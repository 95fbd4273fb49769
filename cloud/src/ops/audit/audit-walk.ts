/** Whether a chain of the audit holds, link by link: the decision alone, without the store. */
import { type AuditChainRow, type AuditEntryRow, entryDigest, nextLink } from "../../store/index.ts";

/** A link as it was found, and the entry that stands at its place. */
export interface FoundLink {
  readonly sequence: number;
  readonly digest: string;
  readonly link: string;
  readonly entry: AuditEntryRow | undefined;
}

/** Why an entry does not hold. */
export type Fault =
  /** Nothing stands at its place. */
  | "missing"
  /** It is another than the one that was stored there: edited, or moved. */
  | "changed"
  /** What binds it to those before it is not what was stored: they, or their order, are others. */
  | "unbound"
  /** The chain does not know of it. */
  | "added"
  /** Its link is not the one that was noted. */
  | "replaced";

export interface Finding {
  readonly sequence: number;
  readonly fault: Fault;
  /** What stands at its place now, if anything. */
  readonly entry?: AuditEntryRow | undefined;
}

export type WalkedChain = Pick<AuditChainRow, "sequence" | "link" | "base_sequence" | "base_link" | "erased_at">;

/** Goes along one chain; the first that does not hold ends it. */
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

  /** Entries that hold so far; those that have been erased are counted apart. */
  get counts(): { readonly held: number; readonly erased: number } {
    return { held: this.#held, erased: this.#erased };
  }

  /** @param found in the order of their numbers, none beyond the head */
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

  /** After the last link: whether the chain ends where its head says. */
  end(): Finding | undefined {
    const { sequence, link } = this.#chain;
    if (this.#sequence < sequence) return { sequence: this.#sequence + 1, fault: "missing" };
    return this.#link === link ? undefined : { sequence, fault: "unbound" };
  }
}
