/** Stores each attempt of a delivery: the earlier ones, and the outcome of the last one apart from the state of the delivery. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function deliveryAttempts(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("deliveries", "earlier_attempts", "text?"), addColumn("deliveries", "attempt_error", "text?")];
}
