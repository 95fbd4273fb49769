/** Whether the agent on a hub stores scenes, as its newest connection said: an older one does not, and carries out no triggers. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function hubScenes(db: Build, dialect: DialectName): Compilable[] {
  return [schemaOf(db, dialect).addColumn("clients", "stores_scenes", "integer?")];
}
