/** Poison records in the loops that delete what is too old or gone, and end what is overdue: what each does with one among others. */
import { sql } from "kysely";
import { expect } from "vitest";
import { IdempotencyKeys } from "./access/idempotency-keys.ts";
import { audit } from "./access/index.ts";
import { Keyring } from "./access/keyring.ts";
import { Erasures, type ErasuresDeps } from "./accounts/erasures.ts";
import { CommandExpiry } from "./devices/commands/expire-commands.ts";
import { EventRetention } from "./events/event-retention.ts";
import { DAY, DEV, ECO, HistoryWorld } from "./history/history.fixture.ts";
import { seriesOf } from "./history/series-rows.ts";
import { sweepAudit } from "./ops/audit-service-queries.ts";
import { Retention } from "./ops/requests/retention.ts";
import { Sweeper } from "./places/sweeper.ts";
import { type PoisonCase, PoisonStore } from "./poison.fixture.ts";
import type { Loop } from "./store/index.ts";
import { poison } from "./store/poison.fixture.ts";
import { PresenceKeeper } from "./tunnels/presence-keeper.ts";
import { sweepDeliveries } from "./webhooks/delivery/sweep.ts";

async function historyRetention() {
  // A virtual day takes a second for each of the recorder's looks.
  const minutes = 10 / (24 * 60);
  await using world = await HistoryWorld.start({ rawDays: minutes, mostRawDays: minutes });
  const { store, clock } = world;
  await world.changed(20);
  await world.changed(true, clock.now(), "Sensor:0.on");
  await world.recorded();
  const [bad] = await seriesOf(store.of(ECO).sql, ECO, [DEV]);
  await using _poisoned = await poison(
    store,
    "history_points",
    "delete",
    sql<boolean>`old.series = ${sql.lit(bad?.series ?? 0)}`,
  );
  await clock.advance(20 * 60_000);
  await world.history.sweep();
  const { service } = store;
  const left = await service.query(service.build.selectFrom("history_points").select("series"));
  expect(left.map(({ series }) => Number(series))).toEqual([bad?.series]);
  return store.setAside.counts;
}

async function webhookRetention() {
  await using world = await PoisonStore.open();
  for (const eco of ["eco_1", "eco_2", "eco_3"]) await world.insert("deliveries", { ecosystem_id: eco });
  await using _poisoned = await poison(world.store, "deliveries", "delete", sql<boolean>`old.ecosystem_id = 'eco_2'`);
  await sweepDeliveries(world.store, world.log, 4e12, () => true);
  expect(await world.column("deliveries", "ecosystem_id")).toEqual(["eco_2"]);
  return world.counts;
}

async function erasures() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  for (const [account_id, ecosystem_ids] of [
    ["acc_1", "[]"],
    ["acc_2", "{"],
    ["acc_3", "[]"],
  ] as const)
    await world.insert("erasures", { account_id, ecosystem_ids, requested_at: 0 });
  const erased: string[] = [];
  const erasers = [async (account: string) => void erased.push(account)];
  // What it looks for needs no more.
  const looking = Erasures.start({ store, clock, log, erasers } as unknown as ErasuresDeps);
  await clock.advance(60_000);
  await expect.poll(() => erased.includes("acc_3")).toBe(true);
  await looking[Symbol.asyncDispose]();
  expect(new Set(erased)).toEqual(new Set(["acc_1", "acc_3"]));
  return world.counts;
}

async function eventRetention() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  for (const eco of ["eco_1", "eco_2", "eco_3"])
    await store.write(eco, async (tx) => tx.append({ type: "zone.updated", data: { id: "zon_1" } }));
  await using _poisoned = await poison(store, "events", "delete", sql<boolean>`old.ecosystem_id = 'eco_1'`);
  await clock.advance(8 * DAY);
  await using retention = EventRetention.start({ store, clock, log, keepEventsDays: 7, keepEventsMegabytes: 1 });
  await retention.sweep();
  expect(await world.column("events", "ecosystem_id")).toEqual(["eco_1"]);
  return world.counts;
}

async function logRetention() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  await world.insert("request_log", { at: 0 });
  await world.insert("request_counts", { minute: 0 });
  await using _poisoned = await poison(store, "request_log", "delete", sql<boolean>`old.at = 0`);
  await clock.advance(500 * DAY);
  await using retention = Retention.start({ store, clock, log });
  await retention.sweep();
  expect([await world.column("request_log", "at"), await world.column("request_counts", "minute")]).toEqual([[0], []]);
  return world.counts;
}

async function auditRetention() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  for (const accountId of ["acc_1", "acc_2", "acc_3"])
    await store.writeService((tx) =>
      audit(tx, { kind: "account", accountId, tokenId: "tok_1", address: "192.0.2.7" }, "alerts.updated", accountId),
    );
  await using _poisoned = await poison(store, "audit_entries", "delete", sql<boolean>`old.account_id = 'acc_2'`);
  await sweepAudit(store, log, clock.now() + DAY, () => true);
  expect(await world.column("audit_entries", "account_id")).toEqual(["acc_2"]);
  return world.counts;
}

async function idempotencyKeys() {
  await using world = await PoisonStore.open();
  const { store, clock, random, log } = world;
  const hashes = ["key 1", "key 2", "key 3", "key 4", "key 5"];
  for (const hash of hashes) await world.insert("idempotency_keys", { hash, created_at: 0 });
  await using _poisoned = await poison(store, "idempotency_keys", "delete", sql<boolean>`old.hash < 'key 3'`);
  const keyring = new Keyring([{ id: "00000001", key: random.bytes(32) }], random);
  await using _keys = IdempotencyKeys.start({ store, clock, random, log, keyring });
  await clock.advance(60_000);
  await expect.poll(() => world.column("idempotency_keys", "hash")).toEqual(hashes.slice(0, 2));
  return world.counts;
}

async function deletions() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  const devices = ["dev_1", "dev_2", "dev_3"];
  for (const id of devices) await world.insert("objects", { id, kind: "dev", alias: null });
  await world.insert("sweeps", { id: "env_1", kind: "env" });
  await using _poisoned = await poison(store, "objects", "update", sql<boolean>`new.id = 'dev_2'`);
  await using sweeper = Sweeper.start({ store, clock, log });
  await sweeper.idle();
  const { service } = store;
  const left = await service.query(service.build.selectFrom("objects").select("id").where("gone_at", "is", null));
  expect(left.map(({ id }) => id)).toEqual(["dev_2"]);
  // It is swept again.
  expect(await world.column("sweeps", "id")).toEqual(["env_1"]);
  return world.counts;
}

async function commandExpiry() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  const open = { state: "queued", outcome: null, completed_at: null, expires_at: 0, created_at: 0 };
  for (const id of ["cmd_1", "cmd_2", "cmd_3"]) await world.insert("commands", { ...open, id });
  await using _poisoned = await poison(store, "commands", "update", sql<boolean>`new.id = 'cmd_2'`);
  const expiry = CommandExpiry.start({ store, clock, log });
  const ended = async () => (await world.column("commands", "completed_at")).filter((at) => at !== null).length;
  await expect.poll(ended).toBe(2);
  await expiry[Symbol.asyncDispose]();
  return world.counts;
}

async function offlineHubs() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  await world.insert("ecosystems", { id: ECO, account_id: "acc_1", gone_at: null });
  await world.insert("objects", { id: "env_1", kind: "env", alias: null });
  for (const id of ["cli_1", "cli_2", "cli_3"]) {
    await world.insert("clients", { id, online: 1, online_since: 0 });
    await world.insert("objects", { id, kind: "cli", alias: null });
  }
  await using _poisoned = await poison(store, "clients", "update", sql<boolean>`new.id = 'cli_1'`);
  const keeper = new PresenceKeeper({
    ...{ store, clock, log, nodeId: () => "", looksForOrphans: () => true, severalNodes: false },
    ...{ offlineAfterMs: 1, startGraceMs: 1, tunnel: () => undefined, provesAlive: () => false },
  });
  await clock.advance(10);
  keeper.sweep();
  await keeper.idle();
  const { service } = store;
  const online = await service.query(service.build.selectFrom("clients").select("id").where("online", "=", 1));
  expect(online.map(({ id }) => id)).toEqual(["cli_1"]);
  return world.counts;
}

export const SWEEPS = {
  history_retention: historyRetention,
  webhook_retention: webhookRetention,
  erasures,
  event_retention: eventRetention,
  log_retention: logRetention,
  audit_retention: auditRetention,
  idempotency_keys: idempotencyKeys,
  deletions,
  command_expiry: commandExpiry,
  offline_hubs: offlineHubs,
} satisfies Partial<Record<Loop, PoisonCase>>;
