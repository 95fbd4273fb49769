/** The questions of this room that belong to no ecosystem: accounts by their address, and their log-ins. */
import type { Tokens } from "../access/index.ts";
import { type AccountRow, one, type Store, statement, type TokenRow } from "../store/index.ts";

const accountByEmail = statement<{ key: string }>("account_by_email")((db, p) =>
  db.selectFrom("accounts").selectAll().where("email_key", "=", p.key),
);
const accountById = statement<{ id: string }>("account_by_id")((db, p) =>
  db.selectFrom("accounts").selectAll().where("id", "=", p.id),
);
const loginOfAccount = statement<{ account: string; id: string }>("login_of_account")((db, p) =>
  db.selectFrom("tokens").select("id").where("id", "=", p.id).where("subject_id", "=", p.account),
);
const tokenById = statement<{ id: string }>("token_by_id")((db, p) =>
  db.selectFrom("tokens").select(["id", "kind", "expires_at"]).where("id", "=", p.id),
);

/** An address as it is compared: without regard to case. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

export function findAccountByEmail(store: Store, email: string): Promise<AccountRow | undefined> {
  return one(store.service.all(accountByEmail, { key: emailKey(email) }));
}

export function findAccount(store: Store, id: string): Promise<AccountRow | undefined> {
  return one(store.service.all(accountById, { id }));
}

/** Whether the account has ever had that log-in. */
export async function hasHadLogin(store: Store, account: string, id: string): Promise<boolean> {
  return (await store.service.all(loginOfAccount, { account, id })).length > 0;
}

/** Living log-ins of an account, after the one with that ID, oldest first. */
export function loginsOf(
  store: Store,
  tokens: Tokens,
  account: string,
  after: string,
  limit: number,
): Promise<TokenRow[]> {
  return tokens.list(store.service, account, after, limit);
}

/** The token that was presented: whose it is has been established already. */
export function findPresentedToken(
  store: Store,
  id: string,
): Promise<Pick<TokenRow, "id" | "kind" | "expires_at"> | undefined> {
  return one(store.service.all(tokenById, { id }));
}
