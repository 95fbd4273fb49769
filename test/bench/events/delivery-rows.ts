/** How many rows deliveries have left in a store, read past the cloud that wrote them. */
import Sqlite from "better-sqlite3";
import { Client } from "pg";

export interface DeliveryRows {
  readonly rows: number;
  /** Of one delivery; 1 when all succeeded at the first. */
  readonly mostAttempts: number;
}

const COUNT = "select count(*) as rows, coalesce(max(attempt), 0) as most from deliveries";

/** @param location `postgres://…`, or a file */
export async function deliveryRows(location: string): Promise<DeliveryRows> {
  const row = location.startsWith("postgres") ? await ofPostgres(location) : ofSqlite(location);
  return { rows: Number(row.rows), mostAttempts: Number(row.most) };
}

type Row = Readonly<Record<"rows" | "most", unknown>>;

function ofSqlite(file: string): Row {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db.prepare<[], Row>(COUNT).get() ?? { rows: 0, most: 0 };
  } finally {
    db.close();
  }
}

async function ofPostgres(url: string): Promise<Row> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(COUNT)).rows[0] ?? { rows: 0, most: 0 };
  } finally {
    await client.end();
  }
}
