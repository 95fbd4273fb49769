/** Recovery's queries outside any ecosystem: the ecosystems of an account, and the audit entries of its grants and log-ins. */
import { type AuditEntryRow, type Store, statement } from "../store/index.ts";

/** Actions that make or change a grant, or that approve the hub that gets one. */
const MAKING = [
  ...["server.created", "token.created", "pairing.approved", "webhook.created", "webhook.updated"],
  "ecosystem.sink_changed",
];

const ecosystems = statement<{ account: string }>("ecosystems_to_recover")((db, p) =>
  db
    .selectFrom("ecosystems")
    .select("id")
    .where("account_id", "=", p.account)
    .where("gone_at", "is", null)
    .orderBy("id"),
);
const logIns = statement<{ account: string; limit: number }>("log_ins_in_audit")((db, p) =>
  db
    .selectFrom("audit_entries")
    .select(["at", "address"])
    .where("account_id", "=", p.account)
    .where("action", "=", "login.created")
    .orderBy("id", "desc")
    .limit(p.limit),
);

/** IDs of the living ecosystems, oldest first. */
export async function ecosystemsOf(store: Store, account: string): Promise<string[]> {
  return (await store.service.all(ecosystems, { account })).map(({ id }) => id);
}

/** Log-ins, the newest first. */
export function logInsOf(
  store: Store,
  account: string,
  limit: number,
): Promise<Pick<AuditEntryRow, "at" | "address">[]> {
  return store.service.all(logIns, { account, limit });
}

/** Audit entries of how grants were made and changed, oldest first. @param ids of tokens, their subjects, webhooks and ecosystems */
export async function makingOf(store: Store, account: string, ids: readonly string[]): Promise<AuditEntryRow[]> {
  if (ids.length === 0) return [];
  const { service } = store;
  return service.query(
    service.build
      .selectFrom("audit_entries")
      .selectAll()
      .where("account_id", "=", account)
      .where("action", "in", MAKING)
      .where("object_id", "in", ids)
      .orderBy("id"),
  );
}
