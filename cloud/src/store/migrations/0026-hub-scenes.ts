/** Whether a hub's agent stores scenes, as its newest connection declared: an older agent does not, and runs no triggers. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function hubScenes(db: Build, dialect: DialectName): Compilable[] {
  return [schemaOf(db, dialect).addColumn("clients", "stores_scenes", "integer?")];
}
