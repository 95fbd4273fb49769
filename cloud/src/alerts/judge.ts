/** The write job that judges subjects of one ecosystem and stores the changes: the alert, its event, and its mark for mailing. */

import type { Log } from "@porchlight/shared/kernel";
import { nameOf } from "@porchlight/shared/names";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import { event } from "../events/index.ts";
import type { AlertRow, Sql, Store, Transaction } from "../store/index.ts";
import { alertResource, boundAlerts, endAlert, insertAlert, openAlert, openAlertsOf } from "./alert-store.ts";
import {
  type BatteryState,
  decideIncidents,
  type HubState,
  type Moment,
  type QuotaState,
  type Verdict,
  type WebhookState,
} from "./incidents.ts";
import { ownerAlerts } from "./service-queries.ts";

/** Reads the present state of hubs, batteries and webhooks of one ecosystem, by their IDs; deleted ones are left out. */
async function readHubs(sql: Sql, eco: string, ids: readonly string[]): Promise<HubState[]> {
  const rows = await sql.query(
    sql.build
      .selectFrom("clients as c")
      .innerJoin("objects as o", (join) =>
        join.onRef("o.ecosystem_id", "=", "c.ecosystem_id").onRef("o.id", "=", "c.id"),
      )
      .innerJoin("objects as e", (join) =>
        join.onRef("e.ecosystem_id", "=", "c.ecosystem_id").onRef("e.id", "=", "c.environment_id"),
      )
      .select(["c.id", "c.environment_id", "c.online", "c.online_since", "o.alias", "o.meta"])
      .where("c.ecosystem_id", "=", eco)
      .where("c.id", "in", ids)
      .where("o.gone_at", "is", null)
      .where("e.gone_at", "is", null),
  );
  return rows.map((row) => ({
    id: row.id,
    name: shownName(row.id, row.alias, row.meta, "{}"),
    environmentId: row.environment_id,
    online: row.online === 1,
    since: row.online_since,
  }));
}

/** The battery state of each device that has batteries. */
async function readBatteries(sql: Sql, eco: string, ids: readonly string[]): Promise<BatteryState[]> {
  const rows = await sql.query(
    sql.build
      .selectFrom("property_values as v")
      .innerJoin("devices as d", (join) =>
        join.onRef("d.ecosystem_id", "=", "v.ecosystem_id").onRef("d.id", "=", "v.device_id"),
      )
      .innerJoin("objects as o", (join) =>
        join.onRef("o.ecosystem_id", "=", "v.ecosystem_id").onRef("o.id", "=", "v.device_id"),
      )
      .innerJoin("objects as e", (join) =>
        join.onRef("e.ecosystem_id", "=", "v.ecosystem_id").onRef("e.id", "=", "v.environment_id"),
      )
      .select(["v.device_id as id", "v.environment_id", "v.property", "v.value", "v.observed_at"])
      .select(["o.alias", "o.meta", "d.about"])
      .where("v.ecosystem_id", "=", eco)
      .where("v.device_id", "in", ids)
      .where("v.service", "=", "Battery")
      .where("o.gone_at", "is", null)
      .where("e.gone_at", "is", null)
      .orderBy("v.device_id"),
  );
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((values) => {
    const [first] = values;
    if (!first) return [];
    const { id, alias, meta, about, environment_id: environmentId } = first;
    return [{ id, name: shownName(id, alias, meta, about), environmentId, ...batteryOf(values) }];
  });
}

/** Combines the values of one device's batteries. */
export function batteryOf(
  values: readonly { readonly property: string; readonly value: string; readonly observed_at: number }[],
): Pick<BatteryState, "percent" | "isLow" | "observedAt"> {
  let percent: number | undefined;
  let isLow = false;
  let observedAt = 0;
  for (const { property, value, observed_at } of values) {
    const reading: unknown = JSON.parse(value);
    if (property === "percent" && typeof reading === "number") percent = Math.min(percent ?? reading, reading);
    else if (property === "low" && typeof reading === "boolean") isLow ||= reading;
    else continue;
    observedAt = Math.max(observedAt, observed_at);
  }
  return { percent, isLow, observedAt };
}

async function readWebhooks(sql: Sql, eco: string, ids: readonly string[]): Promise<WebhookState[]> {
  const rows = await sql.query(
    sql.build
      .selectFrom("webhooks as w")
      .innerJoin("objects as o", (join) =>
        join.onRef("o.ecosystem_id", "=", "w.ecosystem_id").onRef("o.id", "=", "w.id"),
      )
      .leftJoin("objects as e", (join) =>
        join.onRef("e.ecosystem_id", "=", "w.ecosystem_id").onRef("e.id", "=", "w.environment_id"),
      )
      .select(["w.id", "w.environment_id", "w.url", "w.description", "w.disabled", "w.failing_since"])
      .where("w.ecosystem_id", "=", eco)
      .where("w.id", "in", ids)
      .where("o.gone_at", "is", null)
      .where("e.gone_at", "is", null),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.description ?? receiverOf(row.url),
    environmentId: row.environment_id,
    disabled: row.disabled === 1,
    failingSince: row.failing_since,
  }));
}

/** Leaves out the query, which can be a secret of the receiver. */
function receiverOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** @param about metadata that the device reports, as JSON */
function shownName(id: string, alias: string | null, meta: string, about: string): string {
  return nameOf({ id, alias, meta: showMeta(meta, DEFAULT_META_PREFIX, JSON.parse(about)) });
}

/** Subjects in one job. */
const AT_ONCE = 100;

export interface JudgeDeps {
  readonly store: Store;
  readonly log: Log;
}

/**
 * Judges the subjects by the state that the job itself reads: of two nodes at once, the second finds no change. A subject that
 * cannot be judged keeps its alerts unchanged.
 * @param subjectIds hubs, devices, webhooks and names of quotas
 * @param quotas the latest counts; undefined when none were made
 * @throws "Service Unavailable"
 */
export async function judgeSubjects(
  { store, log }: JudgeDeps,
  eco: string,
  subjectIds: readonly string[],
  upSince: number,
  quotas?: readonly QuotaState[],
): Promise<void> {
  for (let at = 0; at < subjectIds.length; at += AT_ONCE) {
    const ids = subjectIds.slice(at, at + AT_ONCE);
    await store.setAside.each(ids, {
      ...{ loop: "alerts", log, about: (subject) => ({ ecosystem: eco, subject }) },
      work: (part) => store.write(eco, (tx) => judge(tx, eco, part, upSince, quotas)),
    });
  }
}

async function judge(
  tx: Transaction,
  eco: string,
  ids: readonly string[],
  upSince: number,
  quotas: readonly QuotaState[] | undefined,
): Promise<void> {
  const moment: Moment = { now: tx.now(), upSince };
  const [owner, open, hubs, batteries, webhooks] = await Promise.all([
    ownerAlerts(tx, eco),
    openAlertsOf(tx, eco, ids),
    readHubs(tx, eco, ids),
    readBatteries(tx, eco, ids),
    readWebhooks(tx, eco, ids),
  ]);
  if (!owner) {
    // No account is left to notify.
    for (const row of open)
      await endAlert(tx, row, { text: "The ecosystem was deleted.", at: moment.now, isReported: false });
    return;
  }
  const state = { hubs, batteries, webhooks, quotas };
  const { opened, ended } = decideIncidents(state, open.map(openAlert), owner.settings, moment);
  for (const verdict of opened) await store(tx, rowOf(tx, eco, verdict));
  for (const { alert, text, isReported } of ended) {
    const { row } = alert;
    if (!(await endAlert(tx, row, { text, at: moment.now, isReported }))) continue;
    const over = { ...row, ended_at: moment.now, end_text: text };
    tx.append(event("alert.ended", row.environment_id ?? undefined, alertResource(over)));
  }
  if (ended.length > 0) await boundAlerts(tx, eco);
}

async function store(tx: Transaction, row: AlertRow): Promise<void> {
  await insertAlert(tx, row);
  tx.append(event("alert.opened", row.environment_id ?? undefined, alertResource(row)));
}

function rowOf(tx: Transaction, eco: string, { kind, subject, since, text }: Verdict): AlertRow {
  return {
    ecosystem_id: eco,
    id: tx.ids.next("alt"),
    kind,
    subject_id: subject.id,
    subject_name: subject.name,
    environment_id: subject.environmentId,
    text,
    end_text: null,
    since,
    opened_at: tx.now(),
    ended_at: null,
    mail: "opened",
    told: 0,
  };
}
