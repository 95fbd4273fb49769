/** Values as the text of a message, and the text of a command as a value. */
import { type PropertyAddress, type PropertyDescription, type Value, valueProblem } from "@porchlight/shared/model";

/** Longest text of a command, bytes. */
export const LONGEST_COMMAND = 16 * 1024;
/** How Home Assistant writes that there is no value. */
const NONE = "None";
/** Services whose entities take no word for that: their topics are emptied. */
const WITHOUT_NONE = new Set(["LightLevel", "LightColor", "LightTemperature", "Cover"]);
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** What stands on a property's topic; empty when nothing may stand there. */
export function payloadOf({ service }: PropertyAddress, value: Value): string {
  if (value === null) return WITHOUT_NONE.has(service) ? "" : NONE;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A hue and a saturation, `30,80`; empty when one of them is not known. */
export function colourPayload(hue: Value | undefined, saturation: Value | undefined): string {
  return typeof hue === "number" && typeof saturation === "number" ? `${hue},${saturation}` : "";
}

/** What a command asks for; undefined when the property cannot be that. Numbers between two steps are the nearest step. */
export function commandValue(description: PropertyDescription, text: string): Value | undefined {
  const value = parsed(description, text);
  return value === undefined || valueProblem(description, value) !== undefined ? undefined : value;
}

/** The two numbers of a colour; undefined when they are not two. */
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

/** The bounds stay as they are: what lies outside of them is refused, and not moved. */
function nearestStep(
  { type, values, min, max, step = type === "integer" ? 1 : undefined }: PropertyDescription,
  to: number,
): number {
  const isBeyond = (min !== undefined && to < min) || (max !== undefined && to > max);
  if (step === undefined || values !== undefined || isBeyond) return to;
  const from = type === "integer" ? Math.round(min ?? 0) : (min ?? 0);
  const near = from + Math.round((to - from) / step) * step;
  const inside = max !== undefined && near > max ? near - step : near;
  // Without what a fraction adds in the last digits.
  return Number.isInteger(step) && Number.isInteger(from) ? inside : Number(inside.toPrecision(12));
}
