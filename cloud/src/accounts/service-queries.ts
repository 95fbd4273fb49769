/**
 * This module's queries outside any ecosystem: accounts by their address, their log-ins, and what the recovery of an account
 * lists.
 */
import type { Tokens } from "../access/index.ts";
import {
  type AccountRow,
  type AuditEntryRow,
  type ErasureRow,
  one,
  type Store,
  statement,
  type TokenRow,
} from "../store/index.ts";
import { emailKey } from "./log-in-limiter.ts";

const accountByEmail = statement<{ key: string }>("account_by_email")((db, p) =>
  db.selectFrom("accounts").selectAll().where("email_key", "=", p.key),
);
const accountById = statement<{ id: string }>("account_by_id")((db, p) =>
  db.selectFrom("accounts").selectAll().where("id", "=", p.id),
);
const loginOfAccount = statement<{ account: string; id: string }>("login_of_account")((db, p) =>
  db.selectFrom("tokens").select("id").where("id", "=", p.id).where("subject_id", "=", p.account),
);
const erasures = statement<Record<never, never>>("erasures_under_way")((db) =>
  db.selectFrom("erasures").selectAll().orderBy("requested_at"),
);
const usesOfLogins = statement<{ account: string }>("uses_of_logins")((db, p) =>
  db
    .selectFrom("tokens")
    .innerJoin("token_uses", "token_uses.token_id", "tokens.id")
    .select(["token_uses.token_id", "token_uses.last_used_at"])
    .where("tokens.subject_id", "=", p.account)
    .where("tokens.revoked_at", "is", null),
);
const tokenById = statement<{ id: string }>("token_by_id")((db, p) =>
  db.selectFrom("tokens").select(["id", "kind", "expires_at"]).where("id", "=", p.id),
);

const holderOfCode = statement<{ hash: string; purpose: string; now: number }>("holder_of_code")((db, p) =>
  db
    .selectFrom("account_codes")
    .innerJoin("accounts", "accounts.id", "account_codes.account_id")
    .selectAll("accounts")
    .where("account_codes.hash", "=", p.hash)
    .where("account_codes.purpose", "=", p.purpose)
    .where("account_codes.expires_at", ">", p.now),
);
const loginByHash = statement<{ hash: string }>("login_by_hash")((db, p) =>
  db
    .selectFrom("tokens")
    .select(["id", "subject_id", "expires_at"])
    .where("hash", "=", p.hash)
    .where("kind", "=", "acc")
    .where("revoked_at", "is", null),
);

export function findAccountByEmail(store: Store, email: string): Promise<AccountRow | undefined> {
  return one(store.service.all(accountByEmail, { key: emailKey(email) }));
}

export function findAccount(store: Store, id: string): Promise<AccountRow | undefined> {
  return one(store.service.all(accountById, { id }));
}

/** The account that a living code belongs to. */
export function findCodeHolder(
  store: Store,
  hash: string,
  purpose: string,
  now: number,
): Promise<AccountRow | undefined> {
  return one(store.service.all(holderOfCode, { hash, purpose, now }));
}

/** The log-in whose own credential has that hash; undefined when it has ended. */
export function findLogin(
  store: Store,
  hash: string,
): Promise<Pick<TokenRow, "id" | "subject_id" | "expires_at"> | undefined> {
  return one(store.service.all(loginByHash, { hash }));
}

/** Whether the account has ever had that log-in. */
export async function hasHadLogin(store: Store, account: string, id: string): Promise<boolean> {
  return (await store.service.all(loginOfAccount, { account, id })).length > 0;
}

/** A log-in with the time of its last use, which is stored some seconds late. */
export type LoginRow = TokenRow & { readonly last_used_at: number | null };

/** Living log-ins of an account after the ID `after`, oldest first. */
export async function loginsOf(
  store: Store,
  tokens: Tokens,
  account: string,
  after: string,
  limit: number,
): Promise<LoginRow[]> {
  const [rows, uses] = await Promise.all([
    tokens.list(store.service, account, after, limit),
    store.service.all(usesOfLogins, { account }),
  ]);
  const usedAt = new Map(uses.map(({ token_id, last_used_at }) => [token_id, last_used_at]));
  return rows.map((row) => ({ ...row, last_used_at: usedAt.get(row.id) ?? null }));
}

/** The presented token; the caller has already been authenticated. */
export function findPresentedToken(
  store: Store,
  id: string,
): Promise<Pick<TokenRow, "id" | "kind" | "expires_at"> | undefined> {
  return one(store.service.all(tokenById, { id }));
}

/** Erasures that are not finished, oldest first. */
export function findErasures(store: Store): Promise<ErasureRow[]> {
  return store.service.all(erasures, {});
}

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
