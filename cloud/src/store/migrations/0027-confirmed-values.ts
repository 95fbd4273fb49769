/** What a device has confirmed of a command, where that is not what was asked for: what a repeat of the request is answered with, whatever the property has by then. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function confirmedValues(db: Build, dialect: DialectName): Compilable[] {
  return [schemaOf(db, dialect).addColumn("commands", "confirmed_value", "text?")];
}
