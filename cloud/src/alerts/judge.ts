/** The write job that judges subjects of one ecosystem and stores the changes: the alert, its event, and its mark for mailing. */
import type { Log } from "@porchlight/shared/kernel";
import { event } from "../events/index.ts";
import type { AlertRow, Store, Transaction } from "../store/index.ts";
import type { Moment, QuotaState, Verdict } from "./conditions.ts";
import { decideIncidents } from "./incidents.ts";
import { alertResource } from "./alert-resource.ts";
import { boundAlerts, endAlert, insertAlert, openAlert, openAlertsOf } from "./alert-store.ts";
import { ownerAlerts } from "./service-queries.ts";
import { readBatteries, readHubs, readWebhooks } from "./alert-subjects.ts";

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
      await endAlert(tx, row, { text: "The ecosystem was deleted.", at: moment.now, tells: false });
    return;
  }
  const state = { hubs, batteries, webhooks, quotas };
  const { opened, ended } = decideIncidents(state, open.map(openAlert), owner.settings, moment);
  for (const verdict of opened) await store(tx, rowOf(tx, eco, verdict));
  for (const { alert, text, isTold } of ended) {
    const { row } = alert;
    if (!(await endAlert(tx, row, { text, at: moment.now, tells: isTold }))) continue;
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
