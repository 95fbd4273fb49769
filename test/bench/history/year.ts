/** A year of a thousand properties, recorded as the service records it: events appended day by day, on a clock that jumps. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { type DescribedProperty, describe } from "@porchlight/shared/model";
import { propertyItem } from "@porchlight/shared/rest";
import { History } from "../../../cloud/src/history/index.ts";
import { insertEcosystem } from "../../../cloud/src/places/index.ts";
import { Store } from "../../../cloud/src/store/index.ts";

export const ECO = "eco_bench";
const ENV = "env_bench";
const DAY = 86_400_000;
const DESCRIPTION = [
  {
    service: "Temperature",
    index: "0",
    properties: [{ property: "celsius", type: "number", access: ["read", "notify"] }],
  },
] as const;
/** Events of one transaction. */
const AT_ONCE = 1_000;
const TABLES = ["history_series", "history_points", "history_five_minutes", "history_hours"] as const;

export interface Year extends AsyncDisposable {
  readonly store: Store;
  readonly history: History;
  readonly clock: VirtualClock;
  readonly property: DescribedProperty;
  /** The first ones change every five minutes, the others as often as it takes. */
  readonly devices: readonly string[];
  readonly changes: number;
  /** Of recording alone. */
  readonly recordingMs: number;
  /** Of the tables of history with their indexes. */
  bytes(): Promise<number>;
}

export interface YearPlan {
  /** Undefined: SQLite. */
  readonly database: string | undefined;
  readonly devices: number;
  /** Devices that change every five minutes. */
  readonly often: number;
  /** Of all other devices, in the whole time. */
  readonly changes: number;
  /** For how many days each change is kept. */
  readonly rawDays: number;
  readonly days: number;
}

export async function recordYear(plan: YearPlan): Promise<Year> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-history-"));
  const location = plan.database ?? join(folder, "cloud.db");
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const store = await Store.open({ location, clock, ids: new IdMaker(clock, random) });
  const limits = { rawDays: plan.rawDays, statisticsDays: 730, mostRawDays: plan.rawDays, mostStatisticsDays: 730 };
  const history = History.start({ store, clock, log: silentLog, isChosen: () => true, limits });
  const devices = Array.from({ length: plan.devices }, (_none, at) => `dev_${String(at).padStart(6, "0")}`);
  await makeDevices(store, devices);
  const property = describe(DESCRIPTION).byKey.get("Temperature:0.celsius");
  if (!property) throw new Error("no property");
  const before = await bytesOf(store, location);
  let [changes, recordingMs] = [0, 0];
  for (let day = 0; day < plan.days; day++) {
    const made = changesOf(devices, plan, clock.now(), random);
    clock.jumpWall(DAY);
    for (let at = 0; at < made.length; at += AT_ONCE)
      await store.write(ECO, async (tx) => {
        for (const [deviceId, at_, value] of made.slice(at, at + AT_ONCE)) {
          const stored = { value: JSON.stringify(value), number: 1, modifiedAt: at_, observedAt: at_ };
          const item = propertyItem({ ecosystemId: ECO, environmentId: ENV, deviceId }, property, stored);
          tx.append({ type: "property.changed", environmentId: ENV, data: { item, cause: { kind: "device" } } });
        }
      });
    changes += made.length;
    const start = performance.now();
    await history.catchUp();
    recordingMs += performance.now() - start;
    // What is recorded is not needed any more.
    await store.writeService((tx) => tx.change(tx.build.deleteFrom("events")));
    if (day % 30 === 29) await history.sweep();
  }
  return {
    ...{ store, history, clock, property, devices, changes, recordingMs },
    bytes: async () => (await bytesOf(store, location)) - before,
    async [Symbol.asyncDispose]() {
      await history[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of one day, in the order of time: device, when, and value. */
function changesOf(devices: readonly string[], plan: YearPlan, from: number, random: ReturnType<typeof seededRandom>) {
  const others = devices.slice(plan.often);
  const temperature = () => Math.round(150 + 100 * random.fraction()) / 10;
  const often = devices
    .slice(0, plan.often)
    .flatMap((device) =>
      Array.from({ length: 288 }, (_none, step) => [device, from + step * 300_000, temperature()] as const),
    );
  const seldom = Array.from({ length: Math.round(plan.changes / plan.days) }, () => {
    const device = others[Math.floor(random.fraction() * others.length)] ?? "";
    return [device, from + Math.floor(random.fraction() * DAY), temperature()] as const;
  });
  return [...often, ...seldom].sort((one, other) => one[1] - other[1]);
}

async function makeDevices(store: Store, ids: readonly string[]): Promise<void> {
  await store.write(ECO, (tx) => insertEcosystem(tx, "acc_bench", ECO, 0).then(() => undefined));
  const description = JSON.stringify(DESCRIPTION);
  const rows = ids.map((id) => ({
    ...{ ecosystem_id: ECO, id, environment_id: ENV, type: "physical", edge_id: id, client_id: null, arrival: 1 },
    ...{ digest: "", description, about: "{}", online: 1, online_since: 0, last_seen_at: null },
  }));
  for (let at = 0; at < rows.length; at += 200)
    await store.write(ECO, (tx) => tx.change(tx.build.insertInto("devices").values(rows.slice(at, at + 200))));
}

/** On SQLite of the file without what is free in it, on PostgreSQL of all tables of history. */
async function bytesOf(store: Store, location: string): Promise<number> {
  if (store.dialect === "sqlite") {
    const [page] = await ask<{ used: number }>(
      store,
      `select (select page_count from pragma_page_count) - (select freelist_count from pragma_freelist_count) as used`,
    );
    const [size] = await ask<{ page_size: number }>(store, "select page_size from pragma_page_size");
    return statSync(location).size === 0 ? 0 : (page?.used ?? 0) * (size?.page_size ?? 0);
  }
  const names = TABLES.map((name) => `'${name}'`).join(", ");
  const [row] = await ask<{ bytes: number }>(
    store,
    `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes from pg_class c
     left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where coalesce(p.relname, c.relname) in (${names}) and c.relkind = 'r'`,
  );
  return row?.bytes ?? 0;
}

function ask<R>(store: Store, text: string): Promise<R[]> {
  return store.service.query<R>({
    compile: () => ({ ...store.service.build.selectFrom("nodes").compile(), sql: text }),
  });
}
