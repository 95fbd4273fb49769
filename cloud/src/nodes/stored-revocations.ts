/**
 * What has ended, by the database: read once a second, so that a message that was lost costs no more. Numbers are given before
 * the commit, so that a smaller one may appear after a larger: some are looked at again, and each is told once.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { type Store, statement, type Transaction } from "../store/index.ts";
import type { RevocationMessage } from "./cluster-messages.ts";
import { newestRevocation, revocationsAfter, type StoredRevocation } from "./service-queries.ts";

/** Revocations that are looked at again: as many as transactions can be open at once, and more. */
const AGAIN = 500;

type NewRevocation = { kind: string; subject: string; token: string | null; at: number };
const insertRevocation = statement<NewRevocation>("insert_ending")((db, p) =>
  db.insertInto("endings").values({ kind: p.kind, subject_id: p.subject, token_id: p.token, at: p.at }),
);
const dropOld = statement<{ before: number }>("drop_endings")((db, p) =>
  db.deleteFrom("endings").where("at", "<", p.before),
);

/** In the transaction that ends it. */
export async function storeRevocation(tx: Transaction, revocation: RevocationMessage): Promise<void> {
  const token = revocation.kind === "token" ? revocation.tokenId : null;
  await tx.run(insertRevocation, { kind: revocation.kind, subject: revocation.subjectId, token, at: tx.now() });
}

/** Keeps them for a day. */
export async function dropOldRevocations(store: Store, clock: Clock): Promise<void> {
  const before = clock.now() - 24 * 3_600_000;
  await store.writeService((tx) => tx.run(dropOld, { before }));
}

export class RevocationReader {
  readonly #store: Store;
  /** Numbers that were told, of those that are looked at again. */
  #told = new Set<number>();
  #newest: number | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Those that were committed since it looked before. At the first look nothing has been cached yet, and there are none. */
  async look(): Promise<RevocationMessage[]> {
    if (this.#newest === undefined) {
      this.#newest = await newestRevocation(this.#store);
      for (const { number } of await revocationsAfter(this.#store, this.#newest - AGAIN)) this.#told.add(number);
    }
    const from = this.#newest - AGAIN;
    const found = await revocationsAfter(this.#store, from);
    const unseen = found.filter(({ number }) => !this.#told.has(number));
    for (const { number } of unseen) {
      this.#told.add(number);
      this.#newest = Math.max(this.#newest, number);
    }
    const kept = this.#newest - AGAIN;
    this.#told = new Set([...this.#told].filter((number) => number > kept));
    return unseen.map(asNote);
  }
}

function asNote({ kind, subject_id: subjectId, token_id: tokenId }: StoredRevocation): RevocationMessage {
  if (kind === "token") return { kind, subjectId, tokenId: tokenId ?? "" };
  // Written by this module.
  return { kind: kind as Exclude<RevocationMessage["kind"], "token">, subjectId };
}
