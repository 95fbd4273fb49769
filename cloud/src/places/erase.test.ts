/** What stays of an ecosystem that is erased: nothing, in whichever table, and of its neighbours everything. */
import { IdMaker, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { freshLocation } from "../store/fresh-store.fixture.ts";
import { Store, type TenantTable, type Transaction } from "../store/index.ts";
import { insertEcosystem } from "./ecosystems.ts";
import { eraseEcosystem } from "./erase.ts";

const TABLES: readonly TenantTable[] = ["objects", "zone_items", "property_values", "events", "counters", "sweeps"];

/** More rows than one step takes. */
async function furnish(tx: Transaction, eco: string): Promise<void> {
  await insertEcosystem(tx, "acc_1", eco, 1);
  const object = { ecosystem_id: eco, kind: "dev", environment_id: "env_1", alias: null, meta: "{}" };
  const devices = Array.from({ length: 1_200 }, (_, at) => `dev_${at}`);
  const rows = devices.map((id) => ({ ...object, id, version: 1, created_at: 1, gone_at: null }));
  await tx.change(tx.build.insertInto("objects").values(rows));
  const value = { ecosystem_id: eco, environment_id: "env_1", service: "Switch", idx: "0", value: "true", number: 1 };
  const values = devices.flatMap((device_id) =>
    ["on", "off"].map((property) => ({ ...value, device_id, property, modified_at: 1, observed_at: 1 })),
  );
  for (let at = 0; at < values.length; at += 600)
    await tx.change(tx.build.insertInto("property_values").values(values.slice(at, at + 600)));
  const item = { ecosystem_id: eco, kind: "dev", environment_id: "env_1" };
  const items = devices.map((item_id, position) => ({ ...item, zone_id: `zon_${position % 3}`, item_id, position }));
  await tx.change(tx.build.insertInto("zone_items").values(items));
  const token = { kind: "srv", account_id: null, ecosystem_id: eco, subject_id: "srv_1", sealed: null, created_at: 1 };
  const rest = { expires_at: null, revoked_at: null, address: null, user_agent: null, read_at: null };
  await tx.change(tx.build.insertInto("tokens").values({ id: `tok_${eco}`, hash: eco, ...token, ...rest }));
  await tx.change(tx.build.insertInto("token_uses").values({ token_id: `tok_${eco}`, last_used_at: 1 }));
  await tx.change(tx.build.insertInto("sweeps").values({ ecosystem_id: eco, id: eco, kind: "eco", created_at: 1 }));
  tx.append({ type: "user.created", data: { key: "Kim" } });
}

describe("an erased ecosystem", () => {
  it("leaves no row, when it is erased twice too, and its neighbour stays whole", async () => {
    await using fresh = await freshLocation();
    const clock = new VirtualClock();
    const ids = new IdMaker(clock, seededRandom(1));
    await using store = await Store.open({ ...fresh.opening, clock, ids });
    for (const eco of ["eco_1", "eco_2"]) await store.write(eco, (tx) => furnish(tx, eco));
    const counts = async (eco: string) => {
      const found: Record<string, number> = {};
      for (const table of TABLES)
        found[table] = (await store.of(eco).sql.query(store.of(eco).from(table).selectAll())).length;
      const { sql } = store.of(eco);
      const from = (table: "tokens" | "ecosystems", column: "ecosystem_id" | "id") =>
        sql.query(sql.build.selectFrom(table).selectAll().where(column, "=", eco));
      found.tokens = (await from("tokens", "ecosystem_id")).length;
      found.ecosystems = (await from("ecosystems", "id")).length;
      const uses = sql.build.selectFrom("token_uses").selectAll().where("token_id", "=", `tok_${eco}`);
      found.uses = (await sql.query(uses)).length;
      return found;
    };
    const whole = await counts("eco_2");
    expect(whole).toMatchObject({ objects: 1_201, zone_items: 1_200, property_values: 2_400, events: 1, uses: 1 });
    for (let time = 0; time < 2; time++) {
      await eraseEcosystem(store, "eco_1");
      expect(new Set(Object.values(await counts("eco_1")))).toEqual(new Set([0]));
      expect(await counts("eco_2")).toEqual(whole);
    }
  });
});
