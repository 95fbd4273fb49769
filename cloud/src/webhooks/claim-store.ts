/** Shares of webhooks in the store: taken only when free or of a dead node, released only by their holder. */
import { type Sql, statement, type Transaction } from "../store/index.ts";

type Share = { share: number; node: string };

const join = statement<{ node: string }>("join_webhook_nodes")((db, p) =>
  db
    .insertInto("webhook_nodes")
    .values({ node_id: p.node })
    .onConflict((conflict) => conflict.doNothing()),
);
const forgetDead = statement<Record<never, never>>("forget_webhook_nodes")((db) =>
  db.deleteFrom("webhook_nodes").where("node_id", "not in", (of) => of.selectFrom("nodes").select("id")),
);
const leave = statement<{ node: string }>("leave_webhook_nodes")((db, p) =>
  db.deleteFrom("webhook_nodes").where("node_id", "=", p.node),
);
const giveBack = statement<Share>("give_webhook_share_back")((db, p) =>
  db.updateTable("webhook_shares").set({ node_id: "" }).where("share", "=", p.share).where("node_id", "=", p.node),
);
const giveAllBack = statement<{ node: string }>("give_webhook_shares_back")((db, p) =>
  db.updateTable("webhook_shares").set({ node_id: "" }).where("node_id", "=", p.node),
);
const ownerOf = statement<Share>("webhook_share_stands")((db, p) =>
  db.selectFrom("webhook_shares").select("share").where("share", "=", p.share).where("node_id", "=", p.node),
);
type Call = { share: number; id: string; eco: string; webhook: string };
const insertCall = statement<Call>("insert_webhook_call")((db, p) =>
  db.insertInto("webhook_calls").values({ share: p.share, id: p.id, ecosystem_id: p.eco, webhook_id: p.webhook }),
);
const dropCall = statement<{ share: number; id: string }>("drop_webhook_call")((db, p) =>
  db.deleteFrom("webhook_calls").where("share", "=", p.share).where("id", "=", p.id),
);

/** Registers the node as a sender; dead nodes are deleted. */
export async function joinSenders(tx: Transaction, node: string): Promise<void> {
  await tx.run(forgetDead, {});
  await tx.run(join, { node });
}

/** Removes the node, which sends nothing more and holds no share. */
export async function leaveNodes(tx: Transaction, node: string): Promise<void> {
  await tx.run(giveAllBack, { node });
  await tx.run(leave, { node });
}

/** Takes those of the shares that no living node holds. Returns the ones it got. */
export async function takeShares(tx: Transaction, node: string, shares: readonly number[]): Promise<number[]> {
  const { build } = tx;
  const empty = shares.map((share) => ({ share, node_id: "" }));
  await tx.change(
    build
      .insertInto("webhook_shares")
      .values(empty)
      .onConflict((conflict) => conflict.doNothing()),
  );
  const found = await tx.query(
    build
      .selectFrom("webhook_shares")
      .leftJoin("nodes", "nodes.id", "webhook_shares.node_id")
      .select("webhook_shares.node_id")
      .distinct()
      .where("share", "in", shares)
      .where("nodes.id", "is", null),
  );
  if (found.length === 0) return [];
  // A dead node never returns under its name: a quicker node has another name, and keeps its shares.
  const gone = found.map(({ node_id }) => node_id);
  const taken = await tx.query(
    build
      .updateTable("webhook_shares")
      .set({ node_id: node })
      .where("share", "in", shares)
      .where("node_id", "in", gone)
      .returning("share"),
  );
  return taken.map(({ share }) => share);
}

export async function giveShareBack(tx: Transaction, node: string, share: number): Promise<void> {
  await tx.run(giveBack, { share, node });
}

/** Whether the node still holds the share. */
export async function shareStands(sql: Sql, node: string, share: number): Promise<boolean> {
  return (await sql.all(ownerOf, { share, node })).length > 0;
}

/** Stores a notification for the holder of the share. */
export async function storeCall(tx: Transaction, share: number, eco: string, webhook: string): Promise<void> {
  await tx.run(insertCall, { share, id: tx.ids.next("evt"), eco, webhook });
}

export async function dropCalls(
  tx: Transaction,
  calls: readonly { readonly share: number; readonly id: string }[],
): Promise<void> {
  for (const { share, id } of calls) await tx.run(dropCall, { share, id });
}
