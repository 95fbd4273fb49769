/** Buttons and dials: what happened, and never what is so. */
import type { PropertyDescription, Value } from "@porchlight/shared/model";
import { numberAt, type Reference, type Resource, textAt } from "../resources/resource.ts";
import type { HueProperty } from "./hue-device.ts";
import { ofClass } from "./standard-property.ts";

/** The bridge says `repeat` while a button is held, after one `long_press` or none: that it is held is told once. */
const EVENTS: Readonly<Record<string, string>> = {
  initial_press: "press",
  short_release: "release",
  long_release: "release",
  long_press: "long",
  double_short_release: "double",
};

export function buttonProperties(of: Reference): HueProperty[] {
  return ofClass(of, "Button", "event", { read: buttonEventOf });
}

/** Steps that a dial was turned by, clockwise above 0. */
export function dialProperties(of: Reference): HueProperty[] {
  const description: PropertyDescription = { property: "steps", type: "integer", access: ["notify"] };
  return [{ address: { service: "Dial", index: "0", property: "steps" }, description, of, read: stepsOf }];
}

function buttonEventOf(update: Resource): Value | undefined {
  const word = textAt(update, "button.button_report.event") ?? textAt(update, "button.last_event");
  return word !== undefined && Object.hasOwn(EVENTS, word) ? EVENTS[word] : undefined;
}

function stepsOf(update: Resource): Value | undefined {
  const report = textAt(update, "relative_rotary.rotary_report.action") ? "rotary_report" : "last_event";
  const steps = numberAt(update, `relative_rotary.${report}.rotation.steps`);
  const direction = textAt(update, `relative_rotary.${report}.rotation.direction`);
  if (steps === undefined || direction === undefined) return undefined;
  return Math.round(direction === "counter_clock_wise" ? -steps : steps);
}
