/** The origin of a command and the timing of its stages, which `why` reports beside the request. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function commandOrigin(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("commands", "origin", "text?"), addColumn("commands", "hops", "text?")];
}
