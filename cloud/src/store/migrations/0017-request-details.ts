/** Adds to the request log the problem that a failed request was answered with, and the command that a request created. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function requestDetails(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn } = schemaOf(db, dialect);
  return [addColumn("request_log", "problem_body", "text?"), addColumn("request_log", "command_id", "text?")];
}
