/** `sensor` and `binary_sensor`: depending on the class and unit a standard property, or a reading with its own name. */
import { binarySensorClass, readCelsius, type SensorClass, sensorClass } from "@porchlight/driver-kit";
import type { ValueEnd } from "../../device/mqtt-device.ts";
import { anyText, type Convert, endAfterMs, expiry, meaning, numberBy, oneOf, stateOf } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, standardPart } from "../entity-parts.ts";

/** Classes whose values are words. */
const WORDS = new Set(["enum", "date", "timestamp"]);
const KEYS = { topic: "state_topic", template: "value_template" };

export const sensor: Component = (options) => {
  const deviceClass = options.text("device_class") ?? "";
  const unit = options.text("unit_of_measurement");
  const standard = sensorClass(deviceClass, unit, options.text("entity_category") === "diagnostic");
  const stateBy = (convert: Convert) => {
    const state = stateOf(options, KEYS, convert, unit);
    return state && { ...state, ends: expiry(options) };
  };
  if (standard)
    return standardPart(standard.service, standard.property, { state: stateBy(numberBy(measuredBy(standard))) });
  const name = options.partName();
  if (isNumeric(deviceClass, unit, options.has("state_class") || options.has("suggested_display_precision")))
    return customPart(name, "number", { state: stateBy(numberBy()) }, { unit });
  const words = options.words("options");
  const convert = words.length > 0 ? oneOf(words) : anyText;
  return customPart(name, "string", { state: stateBy(convert) }, { values: words });
};

/** A value below absolute zero is the marker of a failed sensor, such as -327.68. */
function measuredBy({ service, convert }: SensorClass): (value: number) => number | null {
  if (service !== "Temperature") return convert;
  return (value) => readCelsius(convert(value), "celsius") ?? null;
}

/** Whether the sensor's values are numbers, by Home Assistant's rule. */
function isNumeric(deviceClass: string, unit: string | undefined, isMeasured: boolean): boolean {
  if (WORDS.has(deviceClass)) return false;
  return deviceClass !== "" || unit !== undefined || isMeasured;
}

export const binarySensor: Component = (options) => {
  const deviceClass = options.text("device_class") ?? "";
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  const convert = meaning([
    [on, true],
    [off, false],
  ]);
  const reported = stateOf(options, { topic: "state_topic", template: "value_template" }, convert);
  const state = reported && { ...reported, ends: [...expiry(options), ...offDelay(options)] };
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
