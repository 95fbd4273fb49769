/** Triggers while somebody changes them: what a new one begins with, and what one still lacks. Pure. */
import type { Environment, SceneTrigger } from "@porchlight/shared/api";
import type { ButtonOfHub } from "./buttons.ts";

/** So many may a scene have (A11). */
export const MOST_TRIGGERS = 8;
/** Furthest from sunrise or sunset, minutes. */
export const MOST_OFFSET = 720;

export type TriggerKind = SceneTrigger["kind"];

/** @param buttons of the hub: one at least where a button is asked for */
export function newTrigger(kind: TriggerKind, buttons: readonly ButtonOfHub[]): SceneTrigger {
  switch (kind) {
    case "event": {
      const [first] = buttons;
      const { deviceId = "", service = "Button:0.event", values = [] } = first ?? {};
      return { kind, deviceId, service, value: values[0] ?? "press" };
    }
    case "time":
      return { kind, at: "22:00" };
    case "sun":
      return { kind, event: "sunset" };
  }
}

/** Why it cannot be saved as it is; undefined when it can. */
export function triggerFault(
  trigger: SceneTrigger,
  { timeZone, location }: Pick<Environment, "timeZone" | "location">,
): string | undefined {
  if (trigger.kind === "event") return trigger.deviceId === "" ? "Choose a button." : undefined;
  if (trigger.days?.length === 0) return "Choose at least one day.";
  if (trigger.kind === "time" && !/^\d\d:\d\d$/.test(trigger.at)) return "Enter a time.";
  if (trigger.kind === "sun" && Math.abs(trigger.offsetMinutes ?? 0) > MOST_OFFSET) return "At most 720 minutes.";
  if (timeZone === undefined) return "Set the time zone of the home first.";
  return trigger.kind === "sun" && !location ? "Set the location of the home first." : undefined;
}
