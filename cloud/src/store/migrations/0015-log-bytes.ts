/** How many bytes of events an ecosystem has had, and where among them each begins: what an event log is kept to a size by. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function logBytes(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("counters", "log_bytes", "integer?"), addColumn("events", "log_offset", "integer?")];
}
