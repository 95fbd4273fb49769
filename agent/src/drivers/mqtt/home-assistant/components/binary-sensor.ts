/** `binary_sensor`: by its class a standard property, or a reading of its own name. */
import { stateOf } from "../entities/bindings.ts";
import { customPart, type Part, standardPart } from "../entities/parts.ts";
import { meaning } from "../entities/values.ts";
import type { Component } from "./component.ts";

/** In each of them `on` is what the property calls true. */
const STANDARD: Readonly<Record<string, readonly [service: string, property: string]>> = {
  motion: ["Motion", "detected"],
  occupancy: ["Occupancy", "occupied"],
  presence: ["Occupancy", "occupied"],
  door: ["Contact", "open"],
  window: ["Contact", "open"],
  opening: ["Contact", "open"],
  garage_door: ["Contact", "open"],
  moisture: ["WaterLeak", "detected"],
  smoke: ["Smoke", "detected"],
  carbon_monoxide: ["CarbonMonoxide", "detected"],
  tamper: ["Tamper", "detected"],
  battery: ["Battery", "low"],
};

export const binarySensor: Component = (options) => {
  const deviceClass = options.text("device_class") ?? "";
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  const convert = meaning([
    [on, true],
    [off, false],
  ]);
  const state = stateOf(options, { topic: "state_topic", template: "value_template" }, convert);
  const [service, property] = (Object.hasOwn(STANDARD, deviceClass) ? STANDARD[deviceClass] : undefined) ?? [];
  const parts =
    service !== undefined && property !== undefined
      ? standardPart(service, property, { state })
      : customPart(options.propertyName(), "boolean", { state });
  return options.has("off_delay") ? parts.map(onlyHappening) : parts;
};

/** One with an off delay need not say that it is over: that it happened is all that is known. */
function onlyHappening(part: Part): Part {
  return { ...part, description: { ...part.description, access: ["notify"] } };
}
