/** Which alerts an account wants: what it begins with, and what a change makes of that. */
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

/** @param text what is stored; null of an account that has changed nothing */
export function readSettings(text: string | null): AlertSettings {
  // Written by `changedSettings`; what has been added since has its default.
  return text === null ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, ...(JSON.parse(text) as AlertSettings) };
}

/** What is left out stays as it is. */
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

/** Without fields that are there and undefined. */
function given<T extends object>(change: T | undefined): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(change ?? {}).filter(([, value]) => value !== undefined);
  // What is undefined is gone.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
