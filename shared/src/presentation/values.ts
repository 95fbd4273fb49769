/** Property values in words, with their units: the same on a page, in a sentence and in the log book. */

/** Words for true and false of a standard property. */
const YES_AND_NO: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  on: ["on", "off"],
  open: ["open", "closed"],
  locked: ["locked", "unlocked"],
  jammed: ["jammed", "not jammed"],
  detected: ["detected", "clear"],
  occupied: ["occupied", "empty"],
  low: ["low", "not low"],
  active: ["active", "not active"],
};

/** Words for true and false. @param property its name, standard or not */
export function booleanWords(property: string): readonly [yes: string, no: string] {
  return (Object.hasOwn(YES_AND_NO, property) ? YES_AND_NO[property] : undefined) ?? ["yes", "no"];
}

/** @param property its name @param unit as in the description */
export function valueWords(value: unknown, property: string, unit?: string): string {
  if (value === undefined || value === null) return "no value";
  if (typeof value === "boolean") return booleanWords(property)[value ? 0 : 1];
  if (typeof value === "number") return withUnit(String(Number(value.toPrecision(7))), unit);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** @param amount a number, or a range of them, in words */
export function withUnit(amount: string, unit: string | undefined): string {
  if (unit === undefined) return amount;
  return unit === "deg" ? `${amount}°` : `${amount} ${unit}`;
}
