/**
 * Loads an environment into memory in slices, with other work in between: a large one has a hundred thousand rows.
 *
 * Changes committed meanwhile may be missing; the cache applies them on top.
 */

import { nextTurn } from "@porchlight/shared/kernel";
import type { Described } from "@porchlight/shared/model";
import { type Sql, statement } from "../store/index.ts";
import { parseDescription } from "./device-row.ts";
import { EnvironmentState, rowKey } from "./environment-state.ts";
import { storedValue } from "./value-store.ts";

/** Maximum devices of one slice. */
const MOST_DEVICES = 500;
/** A slice of values ends with the device that fills it. */
const MOST_VALUES = 1000;

type Slice = { eco: string; env: string; after: string };
const selectDevices = statement<Slice>("environment_devices")((db, p) =>
  db
    .selectFrom("objects as o")
    .innerJoin("devices as d", (join) => join.onRef("d.ecosystem_id", "=", "o.ecosystem_id").onRef("d.id", "=", "o.id"))
    .leftJoin("objects as h", (join) =>
      join.onRef("h.ecosystem_id", "=", "d.ecosystem_id").onRef("h.id", "=", "d.client_id"),
    )
    .select(["d.id", "d.client_id", "d.edge_id", "d.description"])
    .where("o.ecosystem_id", "=", p.eco)
    .where("o.environment_id", "=", p.env)
    .where("o.kind", "=", "dev")
    .where("o.id", ">", p.after)
    .where("o.gone_at", "is", null)
    .where("h.gone_at", "is", null)
    .orderBy("o.id")
    .limit(MOST_DEVICES),
);
const selectValues = statement<{ eco: string; env: string; first: string; last: string }>("environment_values")(
  (db, p) =>
    db
      .selectFrom("property_values")
      .select(["device_id", "service", "idx", "property", "value", "number", "modified_at", "observed_at"])
      .where("ecosystem_id", "=", p.eco)
      .where("environment_id", "=", p.env)
      .where("device_id", ">=", p.first)
      .where("device_id", "<=", p.last),
);

export async function readEnvironment(sql: Sql, eco: string, env: string): Promise<EnvironmentState> {
  const state = new EnvironmentState(eco, env);
  // Most devices are of a few kinds: equal devices share one description.
  const kinds = new Map<string, Described>();
  for (let after = ""; ; await nextTurn()) {
    const rows = await sql.all(selectDevices, { eco, env, after });
    let devices: string[] = [];
    let expected = 0;
    for (const row of rows) {
      const described = kinds.get(row.description) ?? parseDescription(row.description);
      kinds.set(row.description, described);
      state.putDevice({ id: row.id, clientId: row.client_id, edgeId: row.edge_id, described });
      devices.push(row.id);
      expected += described.byKey.size;
      if (expected < MOST_VALUES) continue;
      await readValues(sql, state, devices);
      await nextTurn();
      devices = [];
      expected = 0;
    }
    await readValues(sql, state, devices);
    const last = rows.at(-1);
    if (!last || rows.length < MOST_DEVICES) return state;
    after = last.id;
  }
}

/** @param devices a contiguous range in the order of their IDs */
async function readValues(sql: Sql, state: EnvironmentState, devices: readonly string[]): Promise<void> {
  const [first] = devices;
  const last = devices.at(-1);
  if (first === undefined || last === undefined) return;
  const at = { eco: state.ecosystemId, env: state.environmentId, first, last };
  for (const row of await sql.all(selectValues, at)) {
    if (state.device(row.device_id)?.described.byKey.has(rowKey(row)))
      state.putValue(row.device_id, rowKey(row), storedValue(row));
  }
}
