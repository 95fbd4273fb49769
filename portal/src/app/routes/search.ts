/** Parameters of an address as pages want them: an address is typed and shortened by people, so anything else is left out. */

/** A text that is not empty; a number that stands there is text too. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A whole number from `least` on. */
export function countOf(value: unknown, least = 0): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= least ? number : undefined;
}
