/** The total bytes of an ecosystem's events and the offset of each event, by which the event log is kept to its maximum size. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function logBytes(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("counters", "log_bytes", "integer?"), addColumn("events", "log_offset", "integer?")];
}
