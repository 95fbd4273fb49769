/** Poison records in the loops that record, report and send: what each does with one among others. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { expect } from "vitest";
import { openKeyring } from "./access/index.ts";
import { AlertWorld, MINUTE } from "./alerts/alerts.fixture.ts";
import { Home, PRESS, value } from "./devices/devices.fixture.ts";
import { EventNotifier } from "./events/index.ts";
import { startExport } from "./exports/export-store.ts";
import { insertAccount, until, workerOn } from "./exports/worker.fixture.ts";
import { HistoryWorld } from "./history/history.fixture.ts";
import { MailQueue } from "./mail/mail-queue.ts";
import { Outbox } from "./mail/outbox.ts";
import { storeRequests } from "./ops/requests/recorder.ts";
import { type PoisonCase, PoisonStore } from "./poison.fixture.ts";
import { SinkWorld } from "./sinks/sinks.fixture.ts";
import type { Loop } from "./store/index.ts";
import { poison } from "./store/poison.fixture.ts";
import { readNetworks } from "./webhooks/callback-url.ts";
import { Dispatcher } from "./webhooks/delivery/dispatcher.ts";
import { AttemptRecorder, type Recorded } from "./webhooks/delivery/recorder.ts";
import type { Attempt } from "./webhooks/delivery/recording.ts";
import { Receiver } from "./webhooks/receiver.fixture.ts";
import { ALL_CLAIMED } from "./webhooks/shared-claims.ts";
import { secretPurpose, secretsText } from "./webhooks/signature.ts";
import { insertWebhook } from "./webhooks/webhook-store.ts";

const ECO = "eco_1";

async function hubRecords() {
  await using home = await Home.open();
  const { store } = home.testNode;
  await using _poisoned = await poison(store, "property_values", "insert", sql<boolean>`new.value = '66'`);
  const hub = await home.lampHub();
  expect(await home.records(hub, value(1, 10), value(2, "press", PRESS))).toBe(2);
  expect(await home.records(hub, value(3, "press", PRESS), value(4, 66), value(5, "double", PRESS))).toBe(5);
  expect(await home.records(hub, value(6, 20))).toBe(6);
  expect(hub.down).toBeUndefined();
  const changes = await home.changes();
  expect(changes).toEqual([
    ...["hue=10 device", "event=press device", "event=press device", "event=double device", "hue=20 device"],
  ]);
  return store.setAside.counts;
}

async function history() {
  await using world = await HistoryWorld.start();
  const { store } = world;
  await using _poisoned = await poison(store, "history_points", "insert", sql<boolean>`new.value = '66'`);
  for (const celsius of [20, 66, 21]) await world.changed(celsius);
  await world.recorded();
  const { service } = store;
  const points = await service.query(service.build.selectFrom("history_points").select("value").orderBy("sequence"));
  expect(points.map((point) => point.value)).toEqual(["20", "21"]);
  return store.setAside.counts;
}

async function alerts() {
  await using world = await AlertWorld.start();
  for (const hub of ["cli_a", "cli_b", "cli_c"]) await world.hub(hub);
  for (const hub of ["cli_a", "cli_b", "cli_c"]) await world.presence(hub, false);
  await using _poisoned = await poison(world.store, "alerts", "insert", sql<boolean>`new.subject_id = 'cli_b'`);
  await world.pass(20 * MINUTE);
  expect((await world.alerts()).map((alert) => alert.subject_id).sort()).toEqual(["cli_a", "cli_c"]);
  return world.store.setAside.counts;
}

async function alertEmails() {
  await using world = await AlertWorld.start();
  for (const hub of ["cli_a", "cli_b", "cli_c"]) await world.hub(hub);
  for (const hub of ["cli_a", "cli_b", "cli_c"]) await world.presence(hub, false);
  const when = sql<boolean>`new.told = 1 and new.subject_id = 'cli_b'`;
  await using _poisoned = await poison(world.store, "alerts", "update", when);
  await world.pass(60 * MINUTE);
  const rows = await world.alerts();
  expect(rows.map(({ subject_id, told: isNotified, mail }) => [subject_id, isNotified, mail])).toEqual(
    expect.arrayContaining([
      ["cli_a", 1, null],
      ["cli_b", 0, null],
      ["cli_c", 1, null],
    ]),
  );
  expect((await world.emails()).length).toBeGreaterThan(0);
  return world.store.setAside.counts;
}

async function webhookEvents() {
  await using world = await PoisonStore.open();
  await using receiver = await Receiver.start();
  const { store, clock, random, log } = world;
  await using folder = keyFolder();
  const keyring = openKeyring(join(folder.path, "secret.key"), random);
  await world.insert("ecosystems", { id: ECO, account_id: "acc_1", gone_at: null });
  const id = "whk_1";
  const object = { ecosystem_id: ECO, id, kind: "whk", environment_id: null, alias: null, meta: "{}", version: 1 };
  const secrets = keyring.seal(secretPurpose(id), secretsText([{ secret: `whsec_${"A".repeat(32)}` }]));
  await store.write(ECO, async (tx) => {
    await tx.change(tx.build.insertInto("objects").values({ ...object, created_at: 0, gone_at: null }));
    await insertWebhook(tx, {
      ...{ ecosystem_id: ECO, id, environment_id: null, url: receiver.url, description: null, disabled: 0 },
      ...{ events: '["*"]', secrets, failing_since: null, created_at: 0 },
    });
  });
  for (const about of ["zon_1", "zon_2", "zon_3"])
    await store.write(ECO, async (tx) => tx.append({ type: "zone.updated", data: { id: about } }));
  await store.write(ECO, (tx) =>
    tx.change(tx.build.updateTable("events").set({ data: "{" }).where("data", "like", "%zon_2%")),
  );
  const base = { store, clock, log, random, keyring, ids: new IdMaker(clock, random), claims: ALL_CLAIMED };
  const dispatcher = Dispatcher.start({
    ...{ ...base, notifier: EventNotifier.start(store), outbox: { notify: async () => false }, serviceUrl: () => "" },
    networks: readNetworks(["127.0.0.0/8"]),
  });
  await receiver.until((received) => received.length === 2);
  await dispatcher[Symbol.asyncDispose]();
  expect(receiver.received.map(({ event }) => event.data.id).sort()).toEqual(["zon_1", "zon_3"]);
  return world.counts;
}

async function webhookAttempts() {
  await using world = await PoisonStore.open();
  const { store, clock, log } = world;
  await world.insert("ecosystems", { id: ECO, account_id: "acc_1", gone_at: null });
  await world.insert("webhooks", { id: "whk_1", disabled: 0 });
  await world.insert("objects", { id: "whk_1", kind: "whk", alias: null });
  await using _poisoned = await poison(
    store,
    "deliveries",
    "insert",
    sql<boolean>`new.sequence = 3 or coalesce(new.response, '') like '%poison%'`,
  );
  const outbox = { notify: async () => false };
  const recorder = new AttemptRecorder({ store, clock, log, outbox, serviceUrl: () => "", claims: ALL_CLAIMED });
  const passed: number[] = [];
  const webhook: Recorded = {
    ...{ ecosystemId: ECO, webhookId: "whk_1", holder: "", positionsWith: () => [] },
    stored: (attempts) => void passed.push(...attempts.map(({ task }) => task.sequence)),
  };
  for (const sequence of [1, 2, 3, 4]) recorder.add(webhook, attemptOf(sequence, sequence === 2 ? "poison" : "fine"));
  await recorder.idle();
  expect(passed.sort()).toEqual([1, 2, 3, 4]);
  expect((await world.column("deliveries", "sequence")).map(Number)).toEqual([1, 2, 4]);
  return world.counts;
}

function attemptOf(sequence: number, body: string): Attempt {
  const task = { row: undefined, key: undefined, cursor: "log", eventId: `evt_${sequence}`, type: "zone.created" };
  return {
    task: { ...task, sequence, body: "{}" },
    sent: { outcome: { kind: "answered", status: 200 }, durationMs: 1, response: { headers: {}, body } },
    ...{ id: `dlv_${sequence}`, beganAt: 0, endedAt: 1, fraction: 0 },
  };
}

async function sinks() {
  await using world = await SinkWorld.start();
  world.first.chosen = false;
  for (const celsius of [20, 66, 21]) await world.changed(celsius);
  await world.write(async (tx) => {
    await tx.change(tx.build.updateTable("events").set({ data: "{" }).where("data", "like", "%66%"));
  });
  world.first.chosen = true;
  await world.delivered();
  expect(world.receiver.values).toEqual(["20", "21"]);
  expect(await world.row()).toMatchObject({ refused_lines: 1, error: null });
  return world.store.setAside.counts;
}

async function mail() {
  await using world = await PoisonStore.open();
  const { store, clock, random, log } = world;
  await using folder = keyFolder();
  const keyring = openKeyring(join(folder.path, "secret.key"), random);
  const outbox = new Outbox({ keyring });
  const texts = Array.from({ length: 9 }, (_, at) => String(at));
  for (const text of texts)
    await store.writeService((tx) =>
      outbox.post(tx, { accountId: "acc_1", to: "a@example.com", subject: "", text, lifeMs: MINUTE }),
    );
  const ids = await world.column("letters", "id");
  // Four at once are sent: as many can be neither sent nor dropped.
  const bad = sql.join(ids.slice(0, 4).map((id) => sql.lit(id)));
  await using _unclaimed = await poison(store, "letters", "update", sql<boolean>`new.id in (${bad})`);
  await using _undropped = await poison(store, "letters", "delete", sql<boolean>`old.id in (${bad})`);
  const sent: string[] = [];
  const transport = { send: async ({ text }: { readonly text: string }) => void sent.push(text) };
  const queue = MailQueue.start({ store, clock, random, log, keyring, outbox, transport });
  await expect.poll(() => sent.length).toBe(5);
  await queue[Symbol.asyncDispose]();
  expect(sent.sort()).toEqual(texts.slice(4));
  return world.counts;
}

async function exports() {
  await using world = await PoisonStore.open();
  const { store, clock } = world;
  for (const account of ["acc_1", "acc_2"]) {
    await insertAccountOf(world, account);
    await store.writeService((tx) => startExport(tx, account, `exp_${account}`));
  }
  await using _poisoned = await poison(store, "account_exports", "update", sql<boolean>`new.account_id = 'acc_1'`);
  const { worker } = workerOn(store, clock, async function* () {});
  const states = () => world.column("account_exports", "state");
  await until(clock, async () => (await states()).includes("ready"));
  await worker[Symbol.asyncDispose]();
  expect(await states()).toEqual(["ready", "running"]);
  return world.counts;
}

async function insertAccountOf({ store }: PoisonStore, account: string): Promise<void> {
  if (account === "acc_1") return insertAccount(store);
  const row = { id: account, email: account, email_key: account, name: null, password_hash: "", created_at: 0 };
  await store.writeService((tx) => tx.change(tx.build.insertInto("accounts").values({ ...row, verified_at: 1 })));
}

async function requestLog() {
  await using world = await PoisonStore.open();
  const { store, log } = world;
  await world.insert("tokens", { id: "tok_1", hash: "1" });
  await using _poisoned = await poison(store, "request_log", "insert", sql<boolean>`new.path = '/bad'`);
  const seen = { requestId: "r", method: "GET", route: "/", status: 200, durationMs: 1, caller: undefined };
  const rest = { problem: undefined, pathVersion: "v0", headerVersion: undefined };
  const of = { accountId: "acc_1", ecosystemId: undefined, tokenId: "tok_1", at: 0 };
  const requests = ["/one", "/bad", "/two"].map((path) => ({ ...of, seen: { ...seen, ...rest, path } }));
  await storeRequests(store, log, requests);
  expect(await world.column("request_log", "path")).toEqual(["/one", "/two"]);
  return world.counts;
}

function keyFolder() {
  const path = mkdtempSync(join(tmpdir(), "porchlight-poison-"));
  return { path, [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true }) };
}

export const WORK = {
  hub_records: hubRecords,
  history,
  alerts,
  alert_emails: alertEmails,
  webhook_events: webhookEvents,
  webhook_attempts: webhookAttempts,
  sinks,
  mail,
  exports,
  request_log: requestLog,
} satisfies Partial<Record<Loop, PoisonCase>>;
