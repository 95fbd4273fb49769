/** The time at which a server token was last read from the token list. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function tokenReadings(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("tokens", "read_at", "integer?")];
}
