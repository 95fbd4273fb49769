/** Erases all history of an ecosystem, after its devices and events. */
import { type Store, statement } from "../store/index.ts";
import { dropGone } from "./retention.ts";

const retireAll = statement<{ eco: string }>("history_gone_with_ecosystem")((db, p) =>
  db.updateTable("history_series").set({ gone: 1 }).where("ecosystem_id", "=", p.eco),
);

/** @throws "Service Unavailable" */
export async function eraseHistory(store: Store, eco: string): Promise<void> {
  await store.writeService((tx) => tx.run(retireAll, { eco }));
  await dropGone(store);
}
