/**
 * What has ended, by the database: read once a second, so that a message that was lost costs no more. Numbers are given before
 * the commit, so that a smaller one may appear after a larger: some are looked at again, and each is told once.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Store, statement, type Transaction } from "../store/index.ts";
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

// What one node tells the others with each commit: the file of schemas that reads as the specification of these messages.

/** A value that is stored now: what a node that has the environment in memory puts in the place of the one before. */
const valueNote = z.strictObject({
  kind: z.literal("value"),
  environmentId: z.string(),
  deviceId: z.string(),
  key: z.string(),
  value: z.string(),
  number: z.number(),
  modifiedAt: z.number(),
  observedAt: z.number(),
});

/** What has ended: see `Revocation` of the module access. */
const revocationMessage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("token"), tokenId: z.string(), subjectId: z.string() }),
  z.strictObject({ kind: z.enum(["subject", "access", "environment", "ecosystem"]), subjectId: z.string() }),
]);

const note = z.discriminatedUnion("kind", [
  valueNote,
  /** An environment must be read anew. */
  z.strictObject({ kind: z.literal("environment"), environmentId: z.string() }),
  /** References of the ecosystem may mean something else. */
  z.strictObject({ kind: z.literal("references") }),
  /** Its hubs must be told what their devices are called. */
  z.strictObject({ kind: z.literal("names"), environmentId: z.string() }),
  /** A command waits for the hub. */
  z.strictObject({ kind: z.literal("queue"), clientId: z.string() }),
  /** The hub must be asked what became of its open commands. */
  z.strictObject({ kind: z.literal("recover"), clientId: z.string() }),
  /** A newer connection of the hub stands. */
  z.strictObject({ kind: z.literal("tunnel"), clientId: z.string(), epoch: z.number() }),
  z.strictObject({ kind: z.literal("ending"), ending: revocationMessage }),
]);

/** One transaction of one ecosystem; `ecosystemId` is "" and there is no version for what belongs to none. */
export const clusterMessage = z.strictObject({
  ecosystemId: z.string(),
  /** Counts the transactions of the ecosystem, without a gap. */
  version: z.number().optional(),
  /** Of its newest event, when the transaction has new ones. */
  sequence: z.number().optional(),
  notes: z.array(note),
});

export type Note = z.infer<typeof note>;
export type ClusterMessage = z.infer<typeof clusterMessage>;
export type RevocationMessage = z.infer<typeof revocationMessage>;
