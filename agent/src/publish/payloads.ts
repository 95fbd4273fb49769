/** Converts values to payloads, and payloads of commands to values. */
import { type PropertyAddress, type PropertyDescription, type Value, valueProblem } from "@porchlight/shared/model";

/** Longest payload of a command, bytes. */
export const LONGEST_COMMAND = 16 * 1024;
/** Home Assistant's payload for a missing value. */
const NONE = "None";
/** Services whose entities do not accept that payload: their topics are cleared. */
const WITHOUT_NONE = new Set(["LightLevel", "LightColor", "LightTemperature", "Cover"]);
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** The payload of a property's topic; empty when the topic must be cleared. */
export function payloadOf({ service }: PropertyAddress, value: Value): string {
  if (value === null) return WITHOUT_NONE.has(service) ? "" : NONE;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The payload of a hue and a saturation, `30,80`; empty when one of them is unknown. */
export function colourPayload(hue: Value | undefined, saturation: Value | undefined): string {
  return typeof hue === "number" && typeof saturation === "number" ? `${hue},${saturation}` : "";
}

/** Parses a command; undefined when the property cannot have the value. Numbers between two steps become the nearest step. */
export function commandValue(description: PropertyDescription, text: string): Value | undefined {
  const value = parsed(description, text);
  return value === undefined || valueProblem(description, value) !== undefined ? undefined : value;
}

/** Splits a colour command into its two numbers; undefined when there are not exactly two. */
export function colourCommand(text: string): readonly [hue: string, saturation: string] | undefined {
  const [hue, saturation, ...more] = text.split(",");
  return hue === undefined || saturation === undefined || more.length > 0 ? undefined : [hue.trim(), saturation.trim()];
}

function parsed(description: PropertyDescription, text: string): Value | undefined {
  switch (description.type) {
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "integer":
    case "number":
      return NUMBER.test(text) ? nearestStep(description, Number(text)) : undefined;
    case "string":
      return text;
    case "json":
      return undefined;
  }
}

/** Rounds to the nearest step within the bounds: a number outside of them is rejected, not clamped. */
function nearestStep(
  { type, values, min, max, step = type === "integer" ? 1 : undefined }: PropertyDescription,
  to: number,
): number {
  const isBeyond = (min !== undefined && to < min) || (max !== undefined && to > max);
  if (step === undefined || values !== undefined || isBeyond) return to;
  const from = type === "integer" ? Math.round(min ?? 0) : (min ?? 0);
  const near = from + Math.round((to - from) / step) * step;
  const inside = max !== undefined && near > max ? near - step : near;
  // Removes the rounding error of a fractional step.
  return Number.isInteger(step) && Number.isInteger(from) ? inside : Number(inside.toPrecision(12));
}
