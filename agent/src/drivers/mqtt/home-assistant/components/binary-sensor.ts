/** `binary_sensor`: by its class a standard property, or a reading of its own name. */
import { binarySensorClass } from "../../../kit/index.ts";
import { stateOf } from "../entities/bindings.ts";
import { customPart, type Part, standardPart } from "../entities/parts.ts";
import { meaning } from "../entities/values.ts";
import type { Component } from "./component.ts";

export const binarySensor: Component = (options) => {
  const deviceClass = options.text("device_class") ?? "";
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  const convert = meaning([
    [on, true],
    [off, false],
  ]);
  const state = stateOf(options, { topic: "state_topic", template: "value_template" }, convert);
  const standard = binarySensorClass(deviceClass);
  const parts = standard
    ? standardPart(standard.service, standard.property, { state })
    : customPart(options.partName(), "boolean", { state });
  return options.has("off_delay") ? parts.map(onlyHappening) : parts;
};

/** One with an off delay need not say that it is over: that it happened is all that is known. */
function onlyHappening(part: Part): Part {
  return { ...part, description: { ...part.description, access: ["notify"] } };
}
