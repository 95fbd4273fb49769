/** A large ecosystem, put straight into the store of a cloud that stands still: what is measured is reading it, not making it. */
import { join } from "node:path";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import { Client } from "pg";
import { type Product, startProduct } from "./parts.ts";

export interface Large {
  readonly environments: number;
  readonly devicesEach: number;
  /** Properties of a device, each with a value; the first is `LightColor.hue`. */
  readonly valuesEach: number;
}

export interface LargeProduct {
  readonly product: Product;
  readonly environments: readonly string[];
}

/**
 * Starts a cloud, stops it, fills its store, and starts it again.
 * @param database see {@link startProduct}
 */
export async function startLarge(size: Large, database?: string): Promise<LargeProduct> {
  const product = await startProduct(0, 0, { database });
  const environments = [product.environmentId];
  while (environments.length < size.environments) {
    const { id } = await product.api.good<{ id: string }>("POST", "/api/environments", {});
    environments.push(id);
  }
  await product.cloud.kill();
  const devices = devicesOf(environments, size);
  if (database === undefined) fillSqlite(join(product.folder, "cloud", "cloud.db"), product.ecosystemId, devices, size);
  else await fillPostgres(database, product.ecosystemId, devices, size);
  await product.restartCloud();
  return { product, environments };
}

interface NewDevice {
  readonly id: string;
  readonly environment: string;
  readonly number: number;
}

/** Environment by environment in turn, as homes grow. */
function devicesOf(environments: readonly string[], { devicesEach }: Large): NewDevice[] {
  const ids = new IdMaker(systemClock, seededRandom(1));
  const rounds = Array.from({ length: devicesEach }, (_, number) => number);
  return rounds.flatMap((number) => environments.map((environment) => ({ id: ids.next("dev"), environment, number })));
}

const namesOf = (size: Large) => Array.from({ length: size.valuesEach }, (_, n) => (n === 0 ? "hue" : `p${n}`));

function descriptionOf(size: Large): string {
  const properties = namesOf(size).map((property) => ({
    property,
    type: "number",
    access: ["read", "write", "notify"],
  }));
  return JSON.stringify([{ service: "LightColor", index: "0", properties }]);
}

const OBJECT = "objects (ecosystem_id, id, kind, environment_id, meta, version, created_at)";
const DEVICE =
  "devices (ecosystem_id, id, environment_id, type, arrival, digest, description, about, online, online_since)";
const VALUE =
  "property_values (ecosystem_id, device_id, service, idx, property, environment_id, value, number, modified_at, observed_at)";

function fillSqlite(file: string, eco: string, devices: readonly NewDevice[], size: Large): void {
  const db = new Sqlite(file);
  const description = descriptionOf(size);
  const now = Date.now();
  const object = db.prepare(`insert into ${OBJECT} values (?, ?, 'dev', ?, '{}', 1, ?)`);
  const device = db.prepare(`insert into ${DEVICE} values (?, ?, ?, 'virtual', 0, '', ?, '{}', 1, ?)`);
  const value = db.prepare(`insert into ${VALUE} values (?, ?, 'LightColor', '0', ?, ?, ?, 1, ?, ?)`);
  db.transaction(() => {
    for (const { id, environment, number } of devices) {
      object.run(eco, id, environment, now);
      device.run(eco, id, environment, description, now);
      for (const name of namesOf(size)) value.run(eco, id, name, environment, String(number % 360), now, now);
    }
  })();
  db.close();
}

/** Rows in one statement. */
const PORTION = 5000;

async function fillPostgres(url: string, eco: string, devices: readonly NewDevice[], size: Large): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const description = descriptionOf(size);
  const now = Date.now();
  const rows = "from unnest($1::text[], $2::text[], $3::int[]) as d (id, env, n)";
  for (let first = 0; first < devices.length; first += PORTION) {
    const some = devices.slice(first, first + PORTION);
    const columns = [some.map(({ id }) => id), some.map((each) => each.environment), some.map(({ number }) => number)];
    await client.query(`insert into ${OBJECT} select $4, id, 'dev', env, '{}', 1, $5::bigint ${rows}`, [
      ...columns,
      eco,
      now,
    ]);
    await client.query(`insert into ${DEVICE} select $4, id, env, 'virtual', 0, '', $5, '{}', 1, $6::bigint ${rows}`, [
      ...columns,
      eco,
      description,
      now,
    ]);
    await client.query(
      `insert into ${VALUE} select $4, id, 'LightColor', '0', name, env, (n % 360)::text, 1, $5::bigint, $5::bigint
       ${rows} cross join unnest($6::text[]) as name`,
      [...columns, eco, now, namesOf(size)],
    );
  }
  await client.query("analyze");
  await client.end();
}
