/** The questions of this room that belong to no ecosystem: accounts by their address, and their log-ins. */
import { statement } from "../store/index.ts";

export const accountByEmail = statement<{ key: string }>("account_by_email")((db, p) =>
  db.selectFrom("accounts").selectAll().where("email_key", "=", p.key),
);

export const accountById = statement<{ id: string }>("account_by_id")((db, p) =>
  db.selectFrom("accounts").selectAll().where("id", "=", p.id),
);

/** A log-in of an account, living or ended. */
export const loginOfAccount = statement<{ account: string; id: string }>("login_of_account")((db, p) =>
  db.selectFrom("tokens").select(["id", "revoked_at"]).where("id", "=", p.id).where("subject_id", "=", p.account),
);

/** The token that was presented. */
export const tokenById = statement<{ id: string }>("token_by_id")((db, p) =>
  db.selectFrom("tokens").select(["id", "kind", "expires_at"]).where("id", "=", p.id),
);

/** An address as it is compared: without regard to case. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
