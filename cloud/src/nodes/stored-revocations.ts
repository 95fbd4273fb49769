/**
 * Reads revocations from the database once a second, so that a lost message costs no more. Numbers are assigned before
 * the commit, so that a smaller one may appear after a larger one: recent ones are read again, and each is reported
 * once.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Store, statement, type Transaction } from "../store/index.ts";
import { newestRevocation, revocationsAfter, type StoredRevocation } from "./service-queries.ts";

/** Revocations that are read again: at least as many as transactions can be open at once. */
const AGAIN = 500;

type NewRevocation = { kind: string; subject: string; token: string | null; at: number };
const insertRevocation = statement<NewRevocation>("insert_ending")((db, p) =>
  db.insertInto("endings").values({ kind: p.kind, subject_id: p.subject, token_id: p.token, at: p.at }),
);
const dropOld = statement<{ before: number }>("drop_endings")((db, p) =>
  db.deleteFrom("endings").where("at", "<", p.before),
);

/** Called in the transaction of the revocation. */
export async function storeRevocation(tx: Transaction, revocation: RevocationMessage): Promise<void> {
  const token = revocation.kind === "token" ? revocation.tokenId : null;
  await tx.run(insertRevocation, { kind: revocation.kind, subject: revocation.subjectId, token, at: tx.now() });
}

/** Deletes revocations after a day. */
export async function dropOldRevocations(store: Store, clock: Clock): Promise<void> {
  const before = clock.now() - 24 * 3_600_000;
  await store.writeService((tx) => tx.run(dropOld, { before }));
}

export class RevocationReader {
  readonly #store: Store;
  /** Reported numbers, among those that are read again. */
  #published = new Set<number>();
  #newest: number | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The revocations committed since the previous look. The first look returns none, because nothing is cached yet. */
  async look(): Promise<RevocationMessage[]> {
    if (this.#newest === undefined) {
      this.#newest = await newestRevocation(this.#store);
      for (const { number } of await revocationsAfter(this.#store, this.#newest - AGAIN)) this.#published.add(number);
    }
    const from = this.#newest - AGAIN;
    const found = await revocationsAfter(this.#store, from);
    const unseen = found.filter(({ number }) => !this.#published.has(number));
    for (const { number } of unseen) {
      this.#published.add(number);
      this.#newest = Math.max(this.#newest, number);
    }
    const kept = this.#newest - AGAIN;
    this.#published = new Set([...this.#published].filter((number) => number > kept));
    return unseen.map(asNote);
  }
}

function asNote({ kind, subject_id: subjectId, token_id: tokenId }: StoredRevocation): RevocationMessage {
  if (kind === "token") return { kind, subjectId, tokenId: tokenId ?? "" };
  // Only this module writes the column.
  return { kind: kind as Exclude<RevocationMessage["kind"], "token">, subjectId };
}

/** A newly stored value, which replaces the previous one in a node's cache of the environment. */
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

/** A revocation: see `Revocation` of the module access. */
const revocationMessage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("token"), tokenId: z.string(), subjectId: z.string() }),
  z.strictObject({ kind: z.enum(["subject", "access", "environment", "ecosystem"]), subjectId: z.string() }),
]);

const note = z.discriminatedUnion("kind", [
  valueNote,
  /** The environment must be loaded again. */
  z.strictObject({ kind: z.literal("environment"), environmentId: z.string() }),
  /** References of the ecosystem may have new targets. */
  z.strictObject({ kind: z.literal("references") }),
  /** The hubs of the environment must get the names of their devices. */
  z.strictObject({ kind: z.literal("names"), environmentId: z.string() }),
  /** A command waits for the hub. */
  z.strictObject({ kind: z.literal("queue"), clientId: z.string() }),
  /** The hub must be asked about its open commands. */
  z.strictObject({ kind: z.literal("recover"), clientId: z.string() }),
  /** A newer connection of the hub is open. */
  z.strictObject({ kind: z.literal("tunnel"), clientId: z.string(), epoch: z.number() }),
  z.strictObject({ kind: z.literal("ending"), ending: revocationMessage }),
]);

/**
 * One transaction of one ecosystem; without an ecosystem, `ecosystemId` is "" and there is no version. The schemas of
 * this section are the specification of the messages between nodes.
 */
export const clusterMessage = z.strictObject({
  ecosystemId: z.string(),
  /** Counts the transactions of the ecosystem, without a gap. */
  version: z.number().optional(),
  /** Sequence of its newest event, if the transaction has new ones. */
  sequence: z.number().optional(),
  notes: z.array(note),
});

export type Note = z.infer<typeof note>;
export type ClusterMessage = z.infer<typeof clusterMessage>;
export type RevocationMessage = z.infer<typeof revocationMessage>;
