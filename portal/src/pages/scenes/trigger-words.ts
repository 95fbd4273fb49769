/** Describes the triggers of a scene: "at 22:30 on weekdays", "20 min before sunset". Pure. */
import type { SceneTrigger } from "@porchlight/shared/api";

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
