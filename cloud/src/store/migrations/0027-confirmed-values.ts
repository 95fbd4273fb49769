/**
 * The value that a device confirmed, if it differs from the requested one: a repeated request is answered with it,
 * regardless of the property's current value.
 */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function confirmedValues(db: Build, dialect: DialectName): Compilable[] {
  return [schemaOf(db, dialect).addColumn("commands", "confirmed_value", "text?")];
}
