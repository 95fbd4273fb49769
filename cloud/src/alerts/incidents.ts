/**
 * Decides from the state of an ecosystem which alerts open and which end; pure. An open alert has its own, wider bounds, so that a
 * value that fluctuates about a limit does not open and end one alert after another.
 */
import { type AlertKind, type AlertSettings, formatTime } from "@porchlight/shared/api";
import { isEnabled } from "./alert-settings.ts";

const MINUTE = 60_000;
/** Hysteresis, percent points: an open battery alert ends this far above the limit, a quota alert this far below. */
const MARGIN = 5;

/** The subject that is judged. Times are wall clock, ms. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  readonly environmentId: string | null;
}

export interface HubState extends Subject {
  readonly online: boolean;
  /** Time at which it came online or went offline; null before its first connection. */
  readonly since: number | null;
}

export interface BatteryState extends Subject {
  /** Level of its weakest battery; undefined when no battery reports a level. */
  readonly percent: number | undefined;
  /** Whether the device reports a low battery. */
  readonly isLow: boolean;
  /** Time of its last report. */
  readonly observedAt: number;
}

export interface WebhookState extends Subject {
  readonly disabled: boolean;
  /** Time of the first failed delivery since the last success. */
  readonly failingSince: number | null;
}

export interface QuotaState {
  /** Name of the quota. */
  readonly id: string;
  readonly used: number;
  readonly limit: number;
}

/** The judgement of a subject, with a text for people. */
export interface Verdict {
  readonly kind: AlertKind;
  readonly subject: Subject;
  readonly isWrong: boolean;
  /** When the fault began, as far as is known; for a subject without fault, when that was observed. */
  readonly since: number;
  readonly text: string;
}

/** The time of a judgement. */
export interface Moment {
  readonly now: number;
  /** Since when the service has been up without interruption: a hub is not blamed for earlier absence. */
  readonly upSince: number;
}

/** @param openedAt time at which its open alert opened */
export function judgeHub(
  hub: HubState,
  { hubOffline }: AlertSettings,
  { now, upSince }: Moment,
  openedAt?: number,
): Verdict {
  const { online, since, name } = hub;
  const verdict = { kind: "hub_offline", subject: hub, since: since ?? now } as const;
  if (since === null) return { ...verdict, isWrong: false, text: `Hub “${name}” has never connected.` };
  if (online)
    return { ...verdict, isWrong: false, text: `Hub “${name}” has been online again since ${formatTime(since)}.` };
  if (openedAt !== undefined && since > openedAt)
    return {
      ...verdict,
      isWrong: false,
      text: `Hub “${name}” came back online, and went offline again at ${formatTime(since)}.`,
    };
  const isDue = now - Math.max(since, upSince) >= hubOffline.minutes * MINUTE;
  return {
    ...verdict,
    isWrong: openedAt !== undefined || isDue,
    text: `Hub “${name}” has been offline since ${formatTime(since)}.`,
  };
}

export function judgeBattery(battery: BatteryState, { batteryLow }: AlertSettings, openedAt?: number): Verdict {
  const { percent, isLow, observedAt, name } = battery;
  const limit = openedAt === undefined ? batteryLow.percent : Math.min(99, batteryLow.percent + MARGIN - 1);
  const isWrong = isLow || (percent !== undefined && percent <= limit);
  const level = percent === undefined ? (isLow ? "low" : "no longer low") : `at ${percent} %`;
  const reported = isLow && percent !== undefined ? ", and the device reports it as low" : "";
  return {
    kind: "battery_low",
    subject: battery,
    isWrong,
    since: observedAt,
    text: `The battery of “${name}” is ${level}${reported}, as of ${formatTime(observedAt)}.`,
  };
}

export function judgeWebhook(
  webhook: WebhookState,
  { webhookFailing }: AlertSettings,
  { now, upSince }: Moment,
  openedAt?: number,
): Verdict {
  const { disabled, failingSince, name } = webhook;
  const verdict = { kind: "webhook_failing", subject: webhook, since: failingSince ?? now } as const;
  if (failingSince === null) return { ...verdict, isWrong: false, text: `Webhook “${name}” is no longer failing.` };
  if (disabled) return { ...verdict, isWrong: false, text: `Webhook “${name}” is disabled. No events are sent to it.` };
  const isDue = now - Math.max(failingSince, upSince) >= webhookFailing.minutes * MINUTE;
  return {
    ...verdict,
    isWrong: openedAt !== undefined || isDue,
    text: `No delivery to webhook “${name}” has succeeded since ${formatTime(failingSince)}.`,
  };
}

export function judgeQuota(
  { id, used, limit }: QuotaState,
  { quotaNear }: AlertSettings,
  { now }: Moment,
  openedAt?: number,
): Verdict {
  const least = openedAt === undefined ? quotaNear.percent : quotaNear.percent - MARGIN;
  return {
    kind: "quota_near",
    subject: { id, name: id, environmentId: null },
    isWrong: used * 100 >= limit * least,
    since: now,
    text: `Quota “${id}” is at ${used} of ${limit}.`,
  };
}

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

interface Ending<A extends OpenAlert = OpenAlert> {
  readonly alert: A;
  readonly text: string;
  /** Whether the end is reported: not when the user disabled this kind of alert. */
  readonly isReported: boolean;
}

interface Changes<A extends OpenAlert = OpenAlert> {
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
      return [{ alert, text: "Alerts of this kind were turned off.", isReported: false }];
    const text = endOf(alert, judged.get(keyOf(alert.kind, alert.subjectId)), state);
    return text === undefined ? [] : [{ alert, text, isReported: true }];
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
