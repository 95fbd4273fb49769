/** The components of Home Assistant that are supported, and those that are known and ignored. */
import type { Component } from "../entity-options.ts";
import { climate } from "./climate.ts";
import { cover, valve } from "./cover.ts";
import { event } from "./events.ts";
import { fan } from "./fan.ts";
import { humidifier, siren } from "./humidifier.ts";
import { light } from "./light-template.ts";
import { lock } from "./lock.ts";
import { binarySensor, sensor } from "./sensors.ts";
import { button, number, select, switchComponent, text } from "./settings.ts";

export { triggerButtons } from "./events.ts";

export const COMPONENTS: ReadonlyMap<string, Component> = new Map([
  ["binary_sensor", binarySensor],
  ["button", button],
  ["climate", climate],
  ["cover", cover],
  ["event", event],
  ["fan", fan],
  ["humidifier", humidifier],
  ["light", light],
  ["lock", lock],
  ["number", number],
  ["select", select],
  ["sensor", sensor],
  ["siren", siren],
  ["switch", switchComponent],
  ["text", text],
  ["valve", valve],
]);

/** Triggers: those of one device are read together. */
export const DEVICE_AUTOMATION = "device_automation";

/** Ignored components, counted by name; all others are counted as `unknownComponent`. */
export const LEFT_ASIDE: ReadonlySet<string> = new Set([
  "alarm_control_panel",
  "camera",
  "device_tracker",
  "image",
  "lawn_mower",
  "notify",
  "scene",
  "tag",
  "update",
  "vacuum",
  "water_heater",
]);
