/** Triggers in the editor: initial values of a new trigger, and the faults of an incomplete one. Pure. */
import type { Environment, SceneTrigger } from "@porchlight/shared/api";
import { nameIn } from "../zones/forest.ts";
import type { SceneHome } from "./scene-home.ts";

/** Maximum number of triggers of a scene (A11). */
export const MOST_TRIGGERS = 8;
/** Maximum offset from sunrise or sunset, in minutes. */
export const MOST_OFFSET = 720;

export type TriggerKind = SceneTrigger["kind"];

/** @param buttons of the hub; must not be empty for a button trigger */
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

/** Why the trigger cannot be saved; undefined when it is valid. */
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

/** A button that can trigger the scene: only buttons of the scene's hub can. Pure. */
export interface ButtonOfHub {
  readonly deviceId: string;
  /** `Button:INDEX.event` */
  readonly service: string;
  /** The device's name, with the button's number when it has several. */
  readonly name: string;
  /** The values that the button can report. */
  readonly values: readonly string[];
}

/** The service and property that trigger scenes (A11). */
const BUTTON = "Button";
const EVENT = "event";

export function buttonsOf({ forest, services }: SceneHome, hubId: string): readonly ButtonOfHub[] {
  return [...forest.devices.values()]
    .filter(({ clientId }) => clientId === hubId)
    .flatMap(({ id }) => {
      const own = (services.get(id)?.items ?? []).filter(({ service }) => service === BUTTON);
      return own.flatMap(({ service, index, properties }) => {
        const event = properties.find(({ property }) => property === EVENT);
        const values = (event?.values ?? []).filter((value) => typeof value === "string");
        if (!event || values.length === 0) return [];
        const name = own.length > 1 ? `${nameIn(forest, id)}, button ${index}` : nameIn(forest, id);
        return [{ deviceId: id, service: `${service}:${index}.${EVENT}`, name, values }];
      });
    });
}
