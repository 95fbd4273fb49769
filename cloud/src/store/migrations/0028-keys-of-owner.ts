/** Orders an owner's idempotency keys by hash, so that their size is summed up in slices. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function keysOfOwner(db: Build, dialect: DialectName): Compilable[] {
  const { createIndex } = schemaOf(db, dialect);
  return [
    createIndex("idempotency_keys_of_owner").on("idempotency_keys").columns(["owner", "hash"]),
    db.schema.dropIndex("idempotency_keys_owner"),
  ];
}
