/** The alert settings of an account: their defaults, and the result of a change. */
import type { AlertKind, AlertSettings, AlertSettingsUpdate } from "@porchlight/shared/api";
import { LOW_BATTERY_PERCENT } from "@porchlight/shared/presentation";

export const DEFAULT_SETTINGS: AlertSettings = {
  email: true,
  hubOffline: { enabled: true, minutes: 10 },
  batteryLow: { enabled: true, percent: LOW_BATTERY_PERCENT },
  webhookFailing: { enabled: true, minutes: 15 },
  quotaNear: { enabled: true, percent: 90 },
  quietHours: null,
};

/** @param text the stored settings; null for an account that has changed none */
export function readSettings(text: string | null): AlertSettings {
  // Trusted: `changedSettings` wrote the text. Settings added since have their defaults.
  return text === null ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, ...(JSON.parse(text) as AlertSettings) };
}

/** Applies a change; settings left out stay. */
export function changedSettings(before: AlertSettings, change: AlertSettingsUpdate): AlertSettings {
  const { email, hubOffline, batteryLow, webhookFailing, quotaNear, quietHours } = change;
  return {
    email: email ?? before.email,
    hubOffline: { ...before.hubOffline, ...given(hubOffline) },
    batteryLow: { ...before.batteryLow, ...given(batteryLow) },
    webhookFailing: { ...before.webhookFailing, ...given(webhookFailing) },
    quotaNear: { ...before.quotaNear, ...given(quotaNear) },
    quietHours: quietHours === undefined ? before.quietHours : quietHours,
  };
}

export function isEnabled(settings: AlertSettings, kind: AlertKind): boolean {
  switch (kind) {
    case "hub_offline":
      return settings.hubOffline.enabled;
    case "battery_low":
      return settings.batteryLow.enabled;
    case "webhook_failing":
      return settings.webhookFailing.enabled;
    case "quota_near":
      return settings.quotaNear.enabled;
  }
}

/** Removes fields that are present but undefined. */
function given<T extends object>(change: T | undefined): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(change ?? {}).filter(([, value]) => value !== undefined);
  // Undefined values have been filtered out.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
