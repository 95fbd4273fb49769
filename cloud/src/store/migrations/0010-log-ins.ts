/** Marks the log-ins by cookie, which are the portal's, to distinguish them from account tokens that programs hold. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function logIns(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [
    addColumn("tokens", "by_cookie", "integer?"),
    // Of the existing tokens, those that are in use.
    db
      .updateTable("tokens")
      .set({ by_cookie: 1 })
      .where("id", "in", (of) => of.selectFrom("session_tokens").select("login_id")),
  ];
}
