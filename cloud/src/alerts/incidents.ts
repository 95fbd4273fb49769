/** Decides which alerts open and which end, from the state of an ecosystem and its open alerts; pure. */
import type { AlertKind, AlertSettings } from "@porchlight/shared/api";
import {
  type BatteryState,
  type HubState,
  judgeBattery,
  judgeHub,
  judgeQuota,
  judgeWebhook,
  type Moment,
  type QuotaState,
  type Verdict,
  type WebhookState,
} from "./conditions.ts";
import { isEnabled } from "./alert-settings.ts";

export interface OpenAlert {
  readonly id: string;
  readonly kind: AlertKind;
  readonly subjectId: string;
  readonly subjectName: string;
  readonly openedAt: number;
}

/** The observed state of an ecosystem: the subjects that may have changed. */
export interface EcosystemState {
  readonly hubs: readonly HubState[];
  readonly batteries: readonly BatteryState[];
  readonly webhooks: readonly WebhookState[];
  /** Undefined when quotas were not counted: their alerts stay unchanged. */
  readonly quotas: readonly QuotaState[] | undefined;
}

export interface Ending<A extends OpenAlert = OpenAlert> {
  readonly alert: A;
  readonly text: string;
  /** Whether the end is reported: not when the user disabled this kind of alert. */
  readonly isTold: boolean;
}

export interface Changes<A extends OpenAlert = OpenAlert> {
  readonly opened: readonly Verdict[];
  readonly ended: readonly Ending<A>[];
}

export function decideIncidents<A extends OpenAlert>(
  state: EcosystemState,
  open: readonly A[],
  settings: AlertSettings,
  moment: Moment,
): Changes<A> {
  const byKey = new Map(open.map((alert) => [keyOf(alert.kind, alert.subjectId), alert]));
  const openedAt = (kind: AlertKind, id: string) => byKey.get(keyOf(kind, id))?.openedAt;
  const verdicts: Verdict[] = [
    ...state.hubs.map((hub) => judgeHub(hub, settings, moment, openedAt("hub_offline", hub.id))),
    ...state.batteries.map((each) => judgeBattery(each, settings, openedAt("battery_low", each.id))),
    ...state.webhooks.map((each) => judgeWebhook(each, settings, moment, openedAt("webhook_failing", each.id))),
    ...(state.quotas ?? []).map((each) => judgeQuota(each, settings, moment, openedAt("quota_near", each.id))),
  ];
  const judged = new Map(verdicts.map((verdict) => [keyOf(verdict.kind, verdict.subject.id), verdict]));
  const opened = verdicts.filter(
    ({ kind, subject, isWrong }) => isWrong && isEnabled(settings, kind) && !byKey.has(keyOf(kind, subject.id)),
  );
  const ended = open.flatMap((alert) => {
    if (!isEnabled(settings, alert.kind))
      return [{ alert, text: "Alerts of this kind were turned off.", isTold: false }];
    const text = endOf(alert, judged.get(keyOf(alert.kind, alert.subjectId)), state);
    return text === undefined ? [] : [{ alert, text, isTold: true }];
  });
  return { opened, ended };
}

/** The reason why an open alert is over; undefined while it is not. */
function endOf(
  { kind, subjectName }: OpenAlert,
  verdict: Verdict | undefined,
  state: EcosystemState,
): string | undefined {
  if (kind === "quota_near" && !state.quotas) return undefined;
  if (verdict) return verdict.isWrong ? undefined : verdict.text;
  switch (kind) {
    case "hub_offline":
      return `Hub “${subjectName}” was deleted.`;
    case "battery_low":
      return `“${subjectName}” was deleted, or no longer reports a battery.`;
    case "webhook_failing":
      return `Webhook “${subjectName}” was deleted.`;
    case "quota_near":
      return `Quota “${subjectName}” no longer exists.`;
  }
}

function keyOf(kind: AlertKind, subjectId: string): string {
  return `${kind} ${subjectId}`;
}
