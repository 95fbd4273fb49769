/** A large ecosystem, put straight into the store of a cloud that stands still: what is measured is reading it, not making it. */
import { join } from "node:path";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
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

/** Starts a cloud, stops it, fills its store, and starts it again. */
export async function startLarge(size: Large): Promise<LargeProduct> {
  const product = await startProduct(0, 0);
  const environments = [product.environmentId];
  while (environments.length < size.environments) {
    const { id } = await product.api.good<{ id: string }>("POST", "/api/environments", {});
    environments.push(id);
  }
  await product.cloud.kill();
  fill(join(product.folder, "cloud", "cloud.db"), product.ecosystemId, environments, size);
  await product.restartCloud();
  return { product, environments };
}

function fill(file: string, eco: string, environments: readonly string[], size: Large): void {
  const db = new Sqlite(file);
  const ids = new IdMaker(systemClock, seededRandom(1));
  const names = Array.from({ length: size.valuesEach }, (_, n) => (n === 0 ? "hue" : `p${n}`));
  const properties = names.map((property) => ({ property, type: "number", access: ["read", "write", "notify"] }));
  const description = JSON.stringify([{ service: "LightColor", index: "0", properties }]);
  const now = Date.now();
  const object = db.prepare(
    "insert into objects (ecosystem_id, id, kind, environment_id, meta, version, created_at) values (?, ?, 'dev', ?, '{}', 1, ?)",
  );
  const device = db.prepare(
    "insert into devices (ecosystem_id, id, environment_id, type, arrival, digest, description, about, online, online_since) values (?, ?, ?, 'virtual', 0, '', ?, '{}', 1, ?)",
  );
  const value = db.prepare("insert into property_values values (?, ?, 'LightColor', '0', ?, ?, ?, 1, ?, ?)");
  db.transaction(() => {
    // Environment by environment in turn, as homes grow.
    for (let n = 0; n < size.devicesEach; n++) {
      for (const env of environments) {
        const id = ids.next("dev");
        object.run(eco, id, env, now);
        device.run(eco, id, env, description, now);
        for (const name of names) value.run(eco, id, name, env, String(n % 360), now, now);
      }
    }
  })();
  db.close();
}
