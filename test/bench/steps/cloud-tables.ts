/** The tables of the ladder's cloud: those of the product, with one hub and its devices. */
import type { IdMaker } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import { migrate } from "../../../cloud/src/store/opening/migrate.ts";
import { openSqlite } from "../../../cloud/src/store/sqlite/sqlite.ts";
import { deviceIdOf, ECOSYSTEM, ENVIRONMENT, edgeIdOf, HUB, INDEX, PROPERTY, SERVICE } from "./steps.ts";

/** Of the process that writes. */
export const LEASE = { node: "nod_01m7yjmq0ge3bajhkne939870n", lease: 1 };
/** What every property is at first: no benchmark sets it. */
const FIRST = 100;

/** Makes the database, with the hub's devices and their first values. */
export async function openTables(path: string, devices: number, ids: IdMaker): Promise<Sqlite.Database> {
  const database = openSqlite(path);
  await migrate(database, ids);
  await database.close();
  const db = new Sqlite(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("cache_size = -32000");
  fill(db, devices);
  return db;
}

function fill(db: Sqlite.Database, devices: number): void {
  db.exec("begin immediate");
  db.prepare("insert into nodes (id, lease, lease_until, started_at) values (?, ?, 0, 0)").run(LEASE.node, LEASE.lease);
  db.prepare(
    "insert into clients (ecosystem_id, id, environment_id, epoch, position, online) values (?, ?, ?, 1, 0, 1)",
  ).run(ECOSYSTEM, HUB, ENVIRONMENT);
  for (let device = 0; device < devices; device++) {
    const id = deviceIdOf(device);
    db.prepare(
      "insert into objects (ecosystem_id, id, kind, environment_id, meta, version, created_at) values (?, ?, 'dev', ?, '{}', 1, 0)",
    ).run(ECOSYSTEM, id, ENVIRONMENT);
    db.prepare(
      `insert into devices (ecosystem_id, id, environment_id, type, edge_id, client_id, arrival, digest, description, about, online, online_since)
       values (?, ?, ?, 'hub', ?, ?, 1, '', '[]', '{}', 1, 0)`,
    ).run(ECOSYSTEM, id, ENVIRONMENT, edgeIdOf(device), HUB);
    db.prepare("insert into property_values values (?, ?, ?, ?, ?, ?, ?, 0, 0, 0)").run(
      ECOSYSTEM,
      id,
      SERVICE,
      INDEX,
      PROPERTY,
      ENVIRONMENT,
      String(FIRST),
    );
  }
  db.exec("commit");
}
