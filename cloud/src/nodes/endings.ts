/**
 * What has ended, by the database: read once a second, so that a message that was lost costs no more. Numbers are given before
 * the commit, so that a smaller one may appear after a larger: some are looked at again, and each is told once.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { type Store, statement, type Transaction } from "../store/index.ts";
import type { EndingNote } from "./notes.ts";
import { endingsAfter, newestEnding, type StoredEnding } from "./service-queries.ts";

/** Endings that are looked at again: as many as transactions can be open at once, and more. */
const AGAIN = 500;

type NewEnding = { kind: string; subject: string; token: string | null; at: number };
const insertEnding = statement<NewEnding>("insert_ending")((db, p) =>
  db.insertInto("endings").values({ kind: p.kind, subject_id: p.subject, token_id: p.token, at: p.at }),
);
const dropOld = statement<{ before: number }>("drop_endings")((db, p) =>
  db.deleteFrom("endings").where("at", "<", p.before),
);

/** In the transaction that ends it. */
export async function storeEnding(tx: Transaction, ending: EndingNote): Promise<void> {
  const token = ending.kind === "token" ? ending.tokenId : null;
  await tx.run(insertEnding, { kind: ending.kind, subject: ending.subjectId, token, at: tx.now() });
}

/** Keeps them for a day. */
export async function dropOldEndings(store: Store, clock: Clock): Promise<void> {
  const before = clock.now() - 24 * 3_600_000;
  await store.writeService((tx) => tx.run(dropOld, { before }));
}

export class EndingsReader {
  readonly #store: Store;
  /** Numbers that were told, of those that are looked at again. */
  #told = new Set<number>();
  #newest: number | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Those that were committed since it looked before. At the first look nothing has been cached yet, and there are none. */
  async look(): Promise<EndingNote[]> {
    if (this.#newest === undefined) {
      this.#newest = await newestEnding(this.#store);
      for (const { number } of await endingsAfter(this.#store, this.#newest - AGAIN)) this.#told.add(number);
    }
    const from = this.#newest - AGAIN;
    const found = await endingsAfter(this.#store, from);
    const news = found.filter(({ number }) => !this.#told.has(number));
    for (const { number } of news) {
      this.#told.add(number);
      this.#newest = Math.max(this.#newest, number);
    }
    const kept = this.#newest - AGAIN;
    this.#told = new Set([...this.#told].filter((number) => number > kept));
    return news.map(asNote);
  }
}

function asNote({ kind, subject_id: subjectId, token_id: tokenId }: StoredEnding): EndingNote {
  if (kind === "token") return { kind, subjectId, tokenId: tokenId ?? "" };
  // Written by this room.
  return { kind: kind as Exclude<EndingNote["kind"], "token">, subjectId };
}
