/** When a scene is called by itself, in words. */
import type { SceneTrigger } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { triggerWords } from "./triggers.ts";

const button = (value: string, service = "Button:0.event"): SceneTrigger => ({
  kind: "event",
  deviceId: "dev_1",
  service,
  value,
});
const sun = (event: "sunrise" | "sunset", offsetMinutes?: number): SceneTrigger => ({
  kind: "sun",
  event,
  offsetMinutes,
});

test.each<[SceneTrigger, string]>([
  [button("press"), "when Hall is pressed"],
  [button("long", "Button.event"), "when Hall is pressed for long"],
  [button("double", "Button:1.event"), "when Hall, button 1, is pressed twice"],
  [button("constructor"), "when Hall reports “constructor”"],
  [{ ...button("press"), deviceId: "dev_2" } as SceneTrigger, "when a deleted button is pressed"],
  [{ kind: "weather" } as unknown as SceneTrigger, "by a trigger that this page does not know (weather)"],
  [{ kind: "time", at: "22:30" }, "at 22:30 every day"],
  [{ kind: "time", at: "22:30", days: ["fri", "mon", "tue", "thu", "wed"] }, "at 22:30 on weekdays"],
  [{ kind: "time", at: "09:00", days: ["sun", "sat"] }, "at 09:00 on weekends"],
  [{ kind: "time", at: "09:00", days: ["sun"] }, "at 09:00 on Sundays"],
  [{ kind: "time", at: "09:00", days: ["sun", "wed"] }, "at 09:00 on Wed, Sun"],
  [sun("sunset", -20), "20 min before sunset every day"],
  [sun("sunrise"), "at sunrise every day"],
  [sun("sunrise", 90), "1 h 30 min after sunrise every day"],
])("%j", (trigger, words) => {
  expect(triggerWords(trigger, (id) => (id === "dev_1" ? "Hall" : undefined))).toBe(words);
});
