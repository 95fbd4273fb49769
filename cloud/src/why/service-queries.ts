/** This module's query outside ecosystems: the subject of a command's token. */
import { one, type Store, statement } from "../store/index.ts";

const holderOfToken = statement<{ id: string }>("holder_of_token")((db, p) =>
  db
    .selectFrom("tokens")
    .leftJoin("accounts", "accounts.id", "tokens.account_id")
    .select([
      ...(["tokens.kind", "tokens.subject_id", "tokens.ecosystem_id", "tokens.user_agent"] as const),
      ...(["accounts.id as account_id", "accounts.name as account_name"] as const),
    ])
    .where("tokens.id", "=", p.id),
);

/** A token and the object it acts as; undefined when it is no longer stored. */
export function readHolder(store: Store, tokenId: string) {
  return one(store.service.all(holderOfToken, { id: tokenId }));
}
