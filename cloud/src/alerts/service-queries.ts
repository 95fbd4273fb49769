/**
 * This module's queries across tenants: hubs, batteries, webhooks and open alerts that may have changed, and accounts with alerts to
 * mail. Each uses a small index, in pages.
 */

import type { AlertSettings } from "@porchlight/shared/api";
import { sql } from "kysely";
import { one, type Sql, type Store, statement, type Transaction } from "../store/index.ts";
import { readSettings } from "./alert-settings.ts";

/** An account's alert settings, and the time of its last alert email. */
interface AccountAlerts {
  readonly settings: AlertSettings;
  readonly mailedAt: number | null;
}

interface OwnerAlerts extends AccountAlerts {
  readonly accountId: string;
}

const ofAccount = statement<{ account: string }>("alert_settings_of_account")((db, p) =>
  db.selectFrom("alert_settings").select(["settings", "mailed_at"]).where("account_id", "=", p.account),
);
const ofEcosystem = statement<{ eco: string }>("alert_settings_of_ecosystem")((db, p) =>
  db
    .selectFrom("ecosystems as x")
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .select(["x.account_id", "s.settings", "s.mailed_at"])
    .where("x.id", "=", p.eco)
    .where("x.gone_at", "is", null),
);
const storeSettingsStatement = statement<{ account: string; settings: string }>("store_alert_settings")((db, p) =>
  db
    .insertInto("alert_settings")
    .values({ account_id: p.account, settings: p.settings, mailed_at: null })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ settings: p.settings })),
);
const noteMailedStatement = statement<{ account: string; at: number }>("note_alerts_mailed")((db, p) =>
  db
    .insertInto("alert_settings")
    .values({ account_id: p.account, settings: null, mailed_at: p.at })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ mailed_at: p.at })),
);

export async function accountAlerts(sql: Sql, account: string): Promise<AccountAlerts> {
  const row = await one(sql.all(ofAccount, { account }));
  return { settings: readSettings(row?.settings ?? null), mailedAt: row?.mailed_at ?? null };
}

/** Undefined when the ecosystem is gone. */
export async function ownerAlerts(sql: Sql, eco: string): Promise<OwnerAlerts | undefined> {
  const row = await one(sql.all(ofEcosystem, { eco }));
  if (!row) return undefined;
  return { accountId: row.account_id, settings: readSettings(row.settings), mailedAt: row.mailed_at };
}

export async function storeSettings(tx: Transaction, account: string, settings: AlertSettings): Promise<void> {
  await tx.run(storeSettingsStatement, { account, settings: JSON.stringify(settings) });
}

export async function noteMailed(tx: Transaction, account: string, at: number): Promise<void> {
  await tx.run(noteMailedStatement, { account, at });
}

/** Start of a page, in the order of ecosystem and ID; "" and "" at the start. */
export interface AlertPlace {
  readonly eco: string;
  readonly id: string;
}

/** Rows in a page. */
export const PAGE = 500;

type After = { eco: string; id: string };

/** One row comparison, for which both stores use the index. */
const after = (table: string, p: After) =>
  sql<boolean>`(${sql.ref(`${table}.ecosystem_id`)}, ${sql.ref(`${table}.id`)}) > (${p.eco}, ${p.id})`;

/** Offline hubs whose environment is living and which have no open alert. */
const offlineHubs = statement<After>("alerts_offline_hubs")((db, p) =>
  db
    .selectFrom("clients as c")
    .innerJoin("ecosystems as x", "x.id", "c.ecosystem_id")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "c.ecosystem_id").onRef("o.id", "=", "c.id"))
    .innerJoin("objects as e", (join) =>
      join.onRef("e.ecosystem_id", "=", "c.ecosystem_id").onRef("e.id", "=", "c.environment_id"),
    )
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .leftJoin("alerts as a", (join) =>
      join
        .onRef("a.ecosystem_id", "=", "c.ecosystem_id")
        .on("a.kind", "=", sql.lit("hub_offline"))
        .onRef("a.subject_id", "=", "c.id")
        .on("a.ended_at", "is", null),
    )
    .select(["c.ecosystem_id as eco", "c.id", "c.online_since as since", "s.settings"])
    .where("c.online", "=", sql.lit(0))
    .where("c.online_since", "is not", null)
    .where(after("c", p))
    .where("x.gone_at", "is", null)
    .where("o.gone_at", "is", null)
    .where("e.gone_at", "is", null)
    .where("a.id", "is", null)
    .orderBy("c.ecosystem_id")
    .orderBy("c.id")
    .limit(PAGE),
);
const failingWebhooks = statement<After>("alerts_failing_webhooks")((db, p) =>
  db
    .selectFrom("webhooks as w")
    .innerJoin("ecosystems as x", "x.id", "w.ecosystem_id")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "w.ecosystem_id").onRef("o.id", "=", "w.id"))
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .leftJoin("alerts as a", (join) =>
      join
        .onRef("a.ecosystem_id", "=", "w.ecosystem_id")
        .on("a.kind", "=", sql.lit("webhook_failing"))
        .onRef("a.subject_id", "=", "w.id")
        .on("a.ended_at", "is", null),
    )
    .select(["w.ecosystem_id as eco", "w.id", "w.failing_since as since", "s.settings"])
    .where("w.failing_since", "is not", null)
    .where("w.disabled", "=", 0)
    .where(after("w", p))
    .where("x.gone_at", "is", null)
    .where("o.gone_at", "is", null)
    .where("a.id", "is", null)
    .orderBy("w.ecosystem_id")
    .orderBy("w.id")
    .limit(PAGE),
);
/** Open alerts with the facts that decide whether they are over, except for batteries and quotas. */
const openAlerts = statement<After>("alerts_open_now")((db, p) =>
  db
    .selectFrom("alerts as a")
    .leftJoin("ecosystems as x", (join) => join.onRef("x.id", "=", "a.ecosystem_id").on("x.gone_at", "is", null))
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .leftJoin("objects as o", (join) =>
      join
        .onRef("o.ecosystem_id", "=", "a.ecosystem_id")
        .onRef("o.id", "=", "a.subject_id")
        .on("o.gone_at", "is", null),
    )
    .leftJoin("clients as c", (join) =>
      join.onRef("c.ecosystem_id", "=", "a.ecosystem_id").onRef("c.id", "=", "a.subject_id"),
    )
    .leftJoin("webhooks as w", (join) =>
      join.onRef("w.ecosystem_id", "=", "a.ecosystem_id").onRef("w.id", "=", "a.subject_id"),
    )
    .select(["a.ecosystem_id as eco", "a.id", "a.kind", "a.subject_id", "a.opened_at"])
    .select(["x.id as living", "s.settings", "o.id as object", "c.online", "c.online_since"])
    .select(["w.disabled", "w.failing_since"])
    .where("a.ended_at", "is", null)
    .where(after("a", p))
    .orderBy("a.ecosystem_id")
    .orderBy("a.id")
    .limit(PAGE),
);
/** Batteries, and whether an alert of their device is open. The rows of a device can span two pages. */
const batteries = statement<After & { idx: string; property: string }>("alerts_batteries")((db, p) =>
  db
    .selectFrom("property_values as v")
    .innerJoin("ecosystems as x", "x.id", "v.ecosystem_id")
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .leftJoin("alerts as a", (join) =>
      join
        .onRef("a.ecosystem_id", "=", "v.ecosystem_id")
        .on("a.kind", "=", sql.lit("battery_low"))
        .onRef("a.subject_id", "=", "v.device_id")
        .on("a.ended_at", "is", null),
    )
    .select(["v.ecosystem_id as eco", "v.device_id as id", "v.idx", "v.property", "v.value", "v.observed_at"])
    .select(["s.settings", "a.opened_at"])
    .where("v.service", "=", sql.lit("Battery"))
    .where(
      sql<boolean>`(v.ecosystem_id, v.device_id, v.idx, v.property) > (${p.eco}, ${p.id}, ${p.idx}, ${p.property})`,
    )
    .where("x.gone_at", "is", null)
    .orderBy("v.ecosystem_id")
    .orderBy("v.device_id")
    .orderBy("v.idx")
    .orderBy("v.property")
    .limit(PAGE),
);
const ecosystemsAfter = statement<{ eco: string }>("alerts_ecosystems")((db, p) =>
  db
    .selectFrom("ecosystems as x")
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .select(["x.id as eco", "s.settings"])
    .where("x.id", ">", p.eco)
    .where("x.gone_at", "is", null)
    .orderBy("x.id")
    .limit(PAGE),
);
const accountsToMail = statement<Record<never, never>>("alerts_accounts_to_mail")((db) =>
  db
    .selectFrom("alerts as a")
    .innerJoin("ecosystems as x", "x.id", "a.ecosystem_id")
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .select(["x.account_id as account", "s.settings", "s.mailed_at as mailedAt"])
    .where("a.mail", "is not", null)
    .where("x.gone_at", "is", null)
    .distinct(),
);
const dropEnded = statement<{ before: number }>("drop_ended_alerts")((db, p) =>
  db.deleteFrom("alerts").where("ended_at", "<", p.before),
);

/** Offline hubs without an open alert. @throws "Service Unavailable" */
export const hubsOffline = (store: Store, { eco, id }: AlertPlace) => store.service.all(offlineHubs, { eco, id });

/** Webhooks whose last delivery failed, without an open alert. @throws "Service Unavailable" */
export const webhooksFailing = (store: Store, { eco, id }: AlertPlace) =>
  store.service.all(failingWebhooks, { eco, id });

/** @throws "Service Unavailable" */
export const alertsOpen = (store: Store, { eco, id }: AlertPlace) => store.service.all(openAlerts, { eco, id });

export interface BatteryPlace extends AlertPlace {
  readonly idx: string;
  readonly property: string;
}

/** @throws "Service Unavailable" */
export const batteriesAfter = (store: Store, { eco, id, idx, property }: BatteryPlace) =>
  store.service.all(batteries, { eco, id, idx, property });

/** @throws "Service Unavailable" */
export const ecosystemsWithSettings = (store: Store, { eco }: AlertPlace) =>
  store.service.all(ecosystemsAfter, { eco });

/** Accounts with alerts to mail. @throws "Service Unavailable" */
export const accountsWithMail = (store: Store) => store.service.all(accountsToMail, {});

/** @param before wall clock, ms @throws "Service Unavailable" */
export async function dropAlertsEndedBefore(store: Store, before: number): Promise<void> {
  await store.writeService((tx) => tx.run(dropEnded, { before }));
}

/** The account's own settings. @throws "Service Unavailable" */
export function alertsOfAccount(store: Store, account: string): Promise<AccountAlerts> {
  return accountAlerts(store.service, account);
}
