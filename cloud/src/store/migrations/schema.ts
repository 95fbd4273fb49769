/** The vocabulary of migrations: tables and indexes with the same meaning on both stores. */
import type { IdMaker } from "@porchlight/shared/kernel";
import { type Compilable, type CreateTableBuilder, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import type { Tables } from "../tables/tables.ts";

/** The parameters of a migration that changes rows. */
export interface MigrationMeans {
  read<R>(query: Compilable<R>): Promise<R[]>;
  readonly ids: IdMaker;
}

type ColumnType = "text" | "text?" | "integer" | "integer?";
type Columns = Readonly<Record<string, ColumnType>>;

export function schemaOf(db: Build, dialect: DialectName) {
  // Byte order on both stores, independent of the cluster's collation.
  const text = dialect === "postgres" ? sql`text collate "C"` : sql`text`;
  const integer = dialect === "postgres" ? sql`bigint` : sql`integer`;
  return {
    createIndex: (name: string) => db.schema.createIndex(name),
    /** Adds a column to a table that may have rows: the type must end with `?`. */
    addColumn: (name: keyof Tables, column: string, type: ColumnType & `${string}?`) =>
      db.schema.alterTable(name).addColumn(column, type.startsWith("text") ? text : integer),
    /** @param columns a type that ends with `?` may be null */
    table: (name: keyof Tables, columns: Columns, key: readonly string[]): CreateTableBuilder<string, string> => {
      let builder: CreateTableBuilder<string, string> = db.schema.createTable(name);
      for (const [column, type] of Object.entries(columns)) {
        const optional = type.endsWith("?");
        builder = builder.addColumn(column, type.startsWith("text") ? text : integer, (of) =>
          optional ? of : of.notNull(),
        );
      }
      return builder.addPrimaryKeyConstraint(`${name}_pkey`, [...key] as [string]);
    },
  };
}
