/**
 * Finds the subjects, over all tenants, whose alert may open or end now. It uses small indexes and the same decisions as the job
 * that then judges them, so that few jobs find nothing to change.
 */

import { isEnabled, readSettings } from "./alert-settings.ts";
import { judgeBattery, judgeHub, judgeWebhook, type Moment, type Subject } from "./incidents.ts";
import { batteryOf, type JudgeDeps } from "./judge.ts";
import { type AlertPlace, alertsOpen, batteriesAfter, hubsOffline, PAGE, webhooksFailing } from "./service-queries.ts";

/** IDs of hubs, devices, webhooks and names of quotas, by their ecosystem. */
export class Suspects {
  readonly byEcosystem = new Map<string, Set<string>>();

  add(eco: string, subjectId: string): void {
    const held = this.byEcosystem.get(eco);
    if (held) held.add(subjectId);
    else this.byEcosystem.set(eco, new Set([subjectId]));
  }
}

/** A subject without a name, for comparison only. */
const nameless = (id: string): Subject => ({ id, name: "", environmentId: null });

/** Hubs that have been offline, and webhooks that have failed, for long enough. @throws "Service Unavailable" */
export async function findOpening(deps: JudgeDeps, moment: Moment, suspects: Suspects): Promise<void> {
  const { store } = deps;
  await eachPage(
    deps,
    (place) => hubsOffline(store, place),
    ({ eco, id, since, settings: text }) => {
      const settings = readSettings(text);
      const hub = { ...nameless(id), online: false, since };
      if (settings.hubOffline.enabled && judgeHub(hub, settings, moment).isWrong) suspects.add(eco, id);
    },
  );
  await eachPage(
    deps,
    (place) => webhooksFailing(store, place),
    ({ eco, id, since, settings: text }) => {
      const settings = readSettings(text);
      const webhook = { ...nameless(id), disabled: false, failingSince: since };
      if (settings.webhookFailing.enabled && judgeWebhook(webhook, settings, moment).isWrong) suspects.add(eco, id);
    },
  );
}

/**
 * Open alerts that may be over; those of batteries and quotas only when their subject or their kind is gone.
 * @throws "Service Unavailable"
 */
export async function findEnding(deps: JudgeDeps, moment: Moment, suspects: Suspects): Promise<void> {
  await eachPage(
    deps,
    (place) => alertsOpen(deps.store, place),
    (row) => {
      if (isOver(row, moment)) suspects.add(row.eco, row.subject_id);
    },
  );
}

/** @throws "Service Unavailable" */
export async function findBatteries({ store, log }: JudgeDeps, suspects: Suspects): Promise<void> {
  let rows: Awaited<ReturnType<typeof batteriesAfter>> = [];
  let place = { eco: "", id: "", idx: "", property: "" };
  do {
    rows = await batteriesAfter(store, place);
    for (const values of Map.groupBy(rows, ({ eco, id }) => `${eco} ${id}`).values()) {
      const [first] = values;
      if (!first) continue;
      store.setAside.one(first, { loop: "alerts", log, about: aboutRow }, ({ eco, id, opened_at: openedAt }) => {
        const settings = readSettings(first.settings);
        const battery = { ...nameless(id), ...batteryOf(values) };
        const { isWrong } = judgeBattery(battery, settings, openedAt ?? undefined);
        if (settings.batteryLow.enabled && isWrong !== (openedAt !== null)) suspects.add(eco, id);
      });
    }
    place = rows.at(-1) ?? place;
  } while (rows.length === PAGE);
}

function aboutRow({ eco, id }: AlertPlace) {
  return { ecosystem: eco, row: id };
}

type OpenRow = Awaited<ReturnType<typeof alertsOpen>>[number];

function isOver(row: OpenRow, moment: Moment): boolean {
  const settings = readSettings(row.settings);
  const { kind, subject_id: id, opened_at: openedAt } = row;
  if (row.living === null) return true;
  switch (kind) {
    case "hub_offline": {
      const hub = { ...nameless(id), online: row.online === 1, since: row.online_since };
      return !isEnabled(settings, kind) || row.object === null || !judgeHub(hub, settings, moment, openedAt).isWrong;
    }
    case "webhook_failing": {
      const webhook = { ...nameless(id), disabled: row.disabled === 1, failingSince: row.failing_since };
      return (
        !isEnabled(settings, kind) || row.object === null || !judgeWebhook(webhook, settings, moment, openedAt).isWrong
      );
    }
    case "battery_low":
      return !isEnabled(settings, kind) || row.object === null;
    default:
      return !settings.quotaNear.enabled;
  }
}

/** Reads all pages in turn, and yields to other work between them. */
async function eachPage<R extends AlertPlace>(
  { store, log }: JudgeDeps,
  read: (place: AlertPlace) => Promise<R[]>,
  look: (row: R) => void,
): Promise<void> {
  let place: AlertPlace = { eco: "", id: "" };
  for (;;) {
    const rows = await read(place);
    for (const row of rows) store.setAside.one(row, { loop: "alerts", log, about: aboutRow }, look);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    place = last;
  }
}
