/** The agent run of each tunnel, which reveals two agents with one identity on whichever nodes they connect to. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function instances(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("tunnels", "instance", "text?"), addColumn("tunnels", "kept", "integer?")];
}
