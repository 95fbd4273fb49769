/** Several nodes over one database: versions that each node's cache is compared with, and revocations that nodes read from here. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function nodes(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn, createIndex } = schemaOf(db, dialect);
  const { schema } = db;
  const endings =
    dialect === "postgres"
      ? schema
          .createTable("endings")
          .addColumn("number", sql`bigint`, (of) => of.primaryKey().generatedAlwaysAsIdentity())
          .addColumn("at", sql`bigint`, (of) => of.notNull())
      : schema
          .createTable("endings")
          .addColumn("number", sql`integer`, (of) => of.primaryKey().autoIncrement())
          .addColumn("at", sql`integer`, (of) => of.notNull());
  return [
    addColumn("counters", "version", "integer?"),
    endings
      .addColumn("kind", "text", (of) => of.notNull())
      .addColumn("subject_id", "text", (of) => of.notNull())
      .addColumn("token_id", "text"),
    // Lists the open tunnels of a node.
    createIndex("tunnels_open").on("tunnels").columns(["node_id"]).where(sql.ref("closed_at"), "is", null),
  ];
}
