/** Where a command came from, and where the time went until it had ended: what `why` tells beside what was asked for. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function commandOrigin(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("commands", "origin", "text?"), addColumn("commands", "hops", "text?")];
}
