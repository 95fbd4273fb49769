/** Which log-ins are a cookie: those of the portal, told from account tokens that programs hold. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function logIns(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [
    addColumn("tokens", "by_cookie", "integer?"),
    // Of those from before, the ones that are in use.
    db
      .updateTable("tokens")
      .set({ by_cookie: 1 })
      .where("id", "in", (of) => of.selectFrom("session_tokens").select("login_id")),
  ];
}
