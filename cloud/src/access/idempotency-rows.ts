/** The rows of idempotency keys: claim, store, free and sweep; and, pure, the state that an existing key is in. */
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { type IdempotencyKeyRow, one, type Sql, statement, type Transaction } from "../store/index.ts";

/** Lifetime of a key, ms. */
const KEY_LIFE = SERVICE_TIMES.idempotencyKey;
/** Keys swept in one transaction. */
const SWEPT_AT_ONCE = 500;

/** The state of the key that a request brings. */
export type FoundKey =
  /** No key, or an expired one. */
  | "new"
  /** The key was used before with another body. */
  | "reused"
  /** The first request is still running. */
  | "running"
  | "answered"
  /** The first request ended without a final answer, or its process died. */
  | "resumed";

/** @param isLiving whether the attempt that holds the key is still being made */
export function found(
  row: Pick<IdempotencyKeyRow, "created_at" | "fingerprint" | "state"> | undefined,
  fingerprint: string,
  now: number,
  isLiving: boolean,
): FoundKey {
  if (!row || row.created_at + KEY_LIFE <= now) return "new";
  if (row.fingerprint !== fingerprint) return "reused";
  if (row.state === "done") return "answered";
  return row.state === "running" && isLiving ? "running" : "resumed";
}

const selectKey = statement<{ hash: string }>("idempotency_key")((db, p) =>
  db.selectFrom("idempotency_keys").selectAll().where("hash", "=", p.hash),
);
type New = { hash: string; owner: string; fingerprint: string; node: string; claim: string; at: number };
const insertKey = statement<New>("insert_idempotency_key")((db, p) =>
  db
    .insertInto("idempotency_keys")
    .values({
      hash: p.hash,
      owner: p.owner,
      fingerprint: p.fingerprint,
      state: "running",
      node_id: p.node,
      claim: p.claim,
      created_at: p.at,
    })
    .onConflict((conflict) => conflict.column("hash").doNothing()),
);
type Taken = { hash: string; before: string; node: string; claim: string };
const takeOver = statement<Taken>("take_idempotency_key")((db, p) =>
  db
    .updateTable("idempotency_keys")
    .set({ state: "running", node_id: p.node, claim: p.claim })
    .where("hash", "=", p.hash)
    // Of two attempts that find it free only one takes it.
    .where("claim", "=", p.before),
);
type Held = { hash: string; claim: string };
const holdKey = statement<Held>("hold_idempotency_key")((db, p) =>
  db
    .updateTable("idempotency_keys")
    // The update locks the row until the commit.
    .set({ state: "running" })
    .where("hash", "=", p.hash)
    .where("claim", "=", p.claim)
    .where("state", "=", "running"),
);
const keepAnswer = statement<Held & { answer: string }>("keep_idempotent_answer")((db, p) =>
  db
    .updateTable("idempotency_keys")
    .set({ state: "done", answer: p.answer })
    .where("hash", "=", p.hash)
    .where("claim", "=", p.claim),
);
const openKey = statement<Held>("open_idempotency_key")((db, p) =>
  db.updateTable("idempotency_keys").set({ state: "open" }).where("hash", "=", p.hash).where("claim", "=", p.claim),
);
const dropHeld = statement<Held>("drop_held_idempotency_key")((db, p) =>
  db.deleteFrom("idempotency_keys").where("hash", "=", p.hash).where("claim", "=", p.claim),
);
/** Deletes the key under the claim that was read: another node may have replaced it. */
const dropKey = statement<Held>("drop_idempotency_key")((db, p) =>
  db.deleteFrom("idempotency_keys").where("hash", "=", p.hash).where("claim", "=", p.claim),
);
const dropSteps = statement<{ hash: string }>("drop_idempotency_steps")((db, p) =>
  db.deleteFrom("idempotency_steps").where("hash", "=", p.hash),
);
const insertStep = statement<{ hash: string; step: string; value: string }>("insert_idempotency_step")((db, p) =>
  db.insertInto("idempotency_steps").values({ hash: p.hash, step: p.step, value: p.value }),
);
const selectSteps = statement<{ hash: string }>("idempotency_steps")((db, p) =>
  db.selectFrom("idempotency_steps").select(["step", "value"]).where("hash", "=", p.hash),
);
const nodeLives = statement<{ node: string }>("idempotency_node_lives")((db, p) =>
  db.selectFrom("nodes").select("id").where("id", "=", p.node),
);
type Stale = { before: number; from: number; after: string; limit: number };
const selectStale = statement<Stale>("stale_idempotency_keys")((db, p) =>
  db
    .selectFrom("idempotency_keys")
    .select(["hash", "claim", "created_at"])
    .where("created_at", "<=", p.before)
    .where("created_at", ">=", p.from)
    .where((of) => of.or([of("created_at", ">", p.from), of("hash", ">", p.after)]))
    .orderBy("created_at")
    .orderBy("hash")
    .limit(p.limit),
);
const keysOfOwner = statement<{ owner: string }>("idempotency_keys_of_owner")((db, p) =>
  db.selectFrom("idempotency_keys").select(["hash", "claim"]).where("owner", "=", p.owner),
);

/** The holder of a key: `claim` is unique to the attempt. */
export interface Holder {
  readonly hash: string;
  readonly claim: string;
}

export function readKey(sql: Sql, hash: string): Promise<IdempotencyKeyRow | undefined> {
  return one<IdempotencyKeyRow>(sql.all(selectKey, { hash }));
}

/** Whether the node's lease is valid: the row of a node whose lease has expired is deleted. */
export async function nodeIsLiving(sql: Sql, node: string): Promise<boolean> {
  return (await sql.all(nodeLives, { node })).length > 0;
}

/** False when another attempt inserted the key first. @param stale the expired key that this one replaces */
export async function insertNewKey(tx: Transaction, row: New, stale: Holder | undefined): Promise<boolean> {
  if (stale) await dropWhole(tx, stale);
  return (await tx.run(insertKey, row)) === 1;
}

/** False when another attempt took the key first. */
export async function takeKeyOver(tx: Transaction, holder: Holder, before: string, node: string): Promise<boolean> {
  return (await tx.run(takeOver, { ...holder, before, node })) === 1;
}

/** The values stored under a key, by step. */
export async function readSteps(sql: Sql, hash: string): Promise<Map<string, string>> {
  return new Map((await sql.all(selectSteps, { hash })).map(({ step, value }) => [step, value]));
}

/** Stores the value of a step, in the step's job. False when another attempt holds the key: then the step must roll back. */
export async function storeStep(tx: Transaction, holder: Holder, step: string, value: string): Promise<boolean> {
  if ((await tx.run(holdKey, { ...holder })) === 0) return false;
  await tx.run(insertStep, { hash: holder.hash, step, value });
  return true;
}

export async function storeAnswer(tx: Transaction, holder: Holder, answer: string): Promise<void> {
  if ((await tx.run(keepAnswer, { ...holder, answer })) === 1) await tx.run(dropSteps, { hash: holder.hash });
}

/** Frees the key. Deletes it when it has no steps or they are void; else the steps stay. */
export async function freeKey(tx: Transaction, holder: Holder, whatWasDone: "counts" | "is void"): Promise<void> {
  const { hash } = holder;
  if (whatWasDone === "counts" && (await readSteps(tx, hash)).size > 0) await tx.run(openKey, { ...holder });
  else if ((await tx.run(dropHeld, { ...holder })) === 1) await tx.run(dropSteps, { hash });
}

/** An expired key. */
export interface StaleKey extends Holder {
  /** Wall clock, ms. */
  readonly created_at: number;
}

/** A page of the expired keys, the oldest first. @param after the last key of the page before; undefined: from the first on */
export function staleKeys(tx: Transaction, now: number, after: StaleKey | undefined): Promise<StaleKey[]> {
  const place = { from: after?.created_at ?? 0, after: after?.hash ?? "" };
  return tx.all(selectStale, { ...place, before: now - KEY_LIFE, limit: SWEPT_AT_ONCE });
}

export async function dropKeys(tx: Transaction, stale: readonly StaleKey[]): Promise<void> {
  for (const { hash, claim } of stale) await dropWhole(tx, { hash, claim });
}

/** Deletes every key of an erased account or ecosystem, with the stored answers. */
export async function forgetIdempotencyKeys(tx: Transaction, owner: string): Promise<void> {
  for (const holder of await tx.all(keysOfOwner, { owner })) await dropWhole(tx, holder);
}

/** Deletes the key, and its steps only if the key was still there. */
async function dropWhole(tx: Transaction, { hash, claim }: Holder): Promise<void> {
  if ((await tx.run(dropKey, { hash, claim })) === 1) await tx.run(dropSteps, { hash });
}
