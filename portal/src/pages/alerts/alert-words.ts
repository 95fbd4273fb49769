/** Describes the kinds of alerts and links their subjects. Pure. */
import type { Alert } from "@porchlight/shared/api";
import { withTimes } from "@porchlight/shared/presentation";

const KINDS: Readonly<Record<string, string>> = {
  hub_offline: "Hub offline",
  battery_low: "Battery low",
  webhook_failing: "Webhook failing",
  quota_near: "Quota near its limit",
};

/** A newer service can have kinds that this page does not know. */
export function kindWords(kind: string): string {
  return KINDS[kind] ?? kind.replaceAll("_", " ");
}

/** The label of the link to a subject. */
export function subjectWords(type: Alert["subject"]["type"]): string {
  return type === "quota" ? "Show usage" : `Show ${type}`;
}

/** The page of an alert's subject; undefined when it has none. */
export function subjectAddress(alert: Pick<Alert, "subject" | "environmentId" | "ecosystemId">): string | undefined {
  const { subject, environmentId, ecosystemId } = alert;
  switch (subject.type) {
    case "hub":
      return environmentId && `/environments/${environmentId}/hubs/${subject.id}`;
    case "device":
      return environmentId && `/environments/${environmentId}/devices/${subject.id}`;
    case "webhook":
      return `/ecosystems/${ecosystemId}/webhooks/${subject.id}`;
    case "quota":
      return `/ecosystems/${ecosystemId}/usage`;
    default:
      return undefined;
  }
}

/**
 * Converts the times in a service text to the reader's time zone, to the minute.
 * @param locale default: the browser's
 * @param timeZone default: the browser's
 */
export function alertText(text: string, locale?: string, timeZone?: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  return withTimes(text, (ms) => format.format(ms));
}
