/** `binary_sensor`: depending on its class a standard property, or a reading with its own name. */
import { binarySensorClass } from "@porchlight/driver-kit";
import type { ValueEnd } from "../../device/mqtt-device.ts";
import { endAfterMs, expiry, stateOf } from "../entity-bindings.ts";
import type { EntityOptions } from "../entity-options.ts";
import { customPart, standardPart } from "../entity-parts.ts";
import { meaning } from "../entity-values.ts";
import type { Component } from "./component.ts";

export const binarySensor: Component = (options) => {
  const deviceClass = options.text("device_class") ?? "";
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  const convert = meaning([
    [on, true],
    [off, false],
  ]);
  const told = stateOf(options, { topic: "state_topic", template: "value_template" }, convert);
  const state = told && { ...told, ends: [...expiry(options), ...offDelay(options)] };
  const standard = binarySensorClass(deviceClass);
  return standard
    ? standardPart(standard.service, standard.property, { state })
    : customPart(options.partName(), "boolean", { state });
};

/** A sensor with an off delay need not report the end of an event. */
function offDelay(options: EntityOptions): readonly ValueEnd[] {
  const seconds = options.number("off_delay");
  return seconds === undefined || seconds < 0 ? [] : [{ afterMs: endAfterMs(seconds), of: true, becomes: false }];
}
