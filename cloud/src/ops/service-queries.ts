/** The one question of this room that belongs to no ecosystem: whether the store answers. */
import { type Store, statement } from "../store/index.ts";

const anyNode = statement<Record<never, never>>("any_node")((db) => db.selectFrom("nodes").select("id").limit(1));

/** Settles when it does. @throws whatever the store throws */
export async function askStore(store: Store): Promise<void> {
  await store.service.all(anyNode, {});
}
