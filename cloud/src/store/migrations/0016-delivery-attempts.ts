/** Each attempt of a delivery can be read: those before the last one, and what the last one came to whatever happens to the delivery. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function deliveryAttempts(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("deliveries", "earlier_attempts", "text?"), addColumn("deliveries", "attempt_error", "text?")];
}
