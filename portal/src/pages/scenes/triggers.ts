/** Decisions about the triggers of a scene: their drafts in the editor, their description in words, and why no hub can store them. Pure. */
import type { Client, Environment, SceneTrigger } from "@porchlight/shared/api";
import { cut, nameOf } from "../../kit/text/names.ts";
import { nameIn } from "../zones/forest.ts";
import type { HubOfScene, SceneHome } from "./scene-home.ts";

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

type Day = NonNullable<Extract<SceneTrigger, { kind: "time" }>["days"]>[number];

/** In the order of the week. */
export const DAY_NAMES: readonly (readonly [day: Day, short: string, name: string])[] = [
  ["mon", "Mon", "Monday"],
  ["tue", "Tue", "Tuesday"],
  ["wed", "Wed", "Wednesday"],
  ["thu", "Thu", "Thursday"],
  ["fri", "Fri", "Friday"],
  ["sat", "Sat", "Saturday"],
  ["sun", "Sun", "Sunday"],
];

const PRESSES: Readonly<Record<string, string>> = {
  press: "is pressed",
  release: "is released",
  double: "is pressed twice",
  long: "is pressed for long",
};

/** Describes a button press. @param value the reported value; a custom class can report anything */
export function pressWords(value: string): string {
  return (Object.hasOwn(PRESSES, value) ? PRESSES[value] : undefined) ?? `reports “${value}”`;
}

/** @param nameOf the device's name; undefined when the device is deleted */
export function triggerWords(trigger: SceneTrigger, nameOf: (deviceId: string) => string | undefined): string {
  switch (trigger.kind) {
    case "event":
      return `when ${buttonName(trigger.service, nameOf(trigger.deviceId))} ${pressWords(trigger.value)}`;
    case "time":
      return `at ${trigger.at} ${dayWords(trigger.days)}`;
    case "sun": {
      const { event, offsetMinutes = 0, days } = trigger;
      const when =
        offsetMinutes === 0
          ? "at"
          : `${minuteWords(Math.abs(offsetMinutes))} ${offsetMinutes < 0 ? "before" : "after"}`;
      return `${when} ${event} ${dayWords(days)}`;
    }
    default:
      return unknownKind(trigger);
  }
}

/** A kind of trigger that a newer service adds. */
function unknownKind({ kind }: { readonly kind: string }): string {
  return `by a trigger that this page does not know (${kind})`;
}

/** "Hall switch", or "Hall switch, button 1" for the second of several buttons. @param service `Button[:INDEX].event` */
function buttonName(service: string, name = "a deleted button"): string {
  const [, index = "0"] = /^[^:.]+:([^.]+)\./.exec(service) ?? [];
  return index === "0" ? name : `${name}, button ${index},`;
}

function dayWords(days: readonly Day[] | undefined): string {
  const named = DAY_NAMES.filter(([day]) => days?.includes(day) ?? true);
  const key = named.map(([day]) => day).join();
  if (named.length === DAY_NAMES.length) return "every day";
  if (key === "mon,tue,wed,thu,fri") return "on weekdays";
  if (key === "sat,sun") return "on weekends";
  if (named.length === 1) return `on ${named[0]?.[2]}s`;
  return `on ${named.map(([, short]) => short).join(", ")}`;
}

/** "20 min", "1 h", "1 h 30 min". */
function minuteWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""].filter((each) => each !== "").join(" ");
}

interface WhyNoTriggers {
  readonly says: string;
  /** The advice for existing triggers. */
  readonly cure: string;
}

const ELSEWHERE = "Remove its triggers, or what it sets elsewhere.";

/** @param hubs of the environment @returns undefined when triggers work, or when nothing is known against it */
export function whyNoTriggers(hub: HubOfScene, hubs: readonly Client[]): WhyNoTriggers | undefined {
  switch (hub.kind) {
    case "one": {
      const client = hubs.find(({ id }) => id === hub.hubId);
      return client?.connection.storesScenes === false ? outdated(client) : undefined;
    }
    case "none":
      return { says: "Triggers are not offered: the scene sets no device that is there.", cure: ELSEWHERE };
    case "virtual":
      return {
        says: "Triggers are not offered: the scene also sets a device that is connected to no hub, and the hub must be able to set everything by itself.",
        cure: ELSEWHERE,
      };
    case "several":
      return {
        says: `Triggers are not offered: the scene sets devices of ${hub.count} hubs, and one hub must be able to set everything by itself.`,
        cure: ELSEWHERE,
      };
  }
}

function outdated(client: Client): WhyNoTriggers {
  const { agentVersion } = client.connection;
  const version = agentVersion === undefined ? "" : ` (version ${cut(agentVersion, 40)})`;
  return {
    says: `Triggers are not offered: the agent on ${cut(nameOf(client), 60)}${version} is too old to store scenes. Update the agent, and they are offered here.`,
    cure: "Until then its triggers have no effect. You can still call the scene.",
  };
}
