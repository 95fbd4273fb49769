/** Which start of an agent each tunnel was of: what two agents with one identity are found out by, on whichever nodes they meet. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function instances(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("tunnels", "instance", "text?"), addColumn("tunnels", "kept", "integer?")];
}
