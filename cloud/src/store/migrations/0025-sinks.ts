/** Sinks: the receivers of an ecosystem's property values. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function sinks(db: Build, dialect: DialectName): Compilable[] {
  const { table } = schemaOf(db, dialect);
  return [
    table(
      "sinks",
      {
        ecosystem_id: "text",
        url: "text",
        token: "text?",
        measurement_prefix: "text",
        enabled: "integer",
        created_at: "integer",
        revision: "integer",
        position: "integer",
        proven: "integer",
        tried_at: "integer?",
        status: "integer?",
        failing_since: "integer?",
        error: "text?",
        attempts: "integer",
        retry_at: "integer?",
        refused_lines: "integer",
        refused_error: "text?",
        lost_events: "integer",
        lost_at: "integer?",
      },
      ["ecosystem_id"],
    ),
  ];
}
