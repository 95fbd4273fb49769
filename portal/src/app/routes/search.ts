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

/** An HTTP status, or a class of them: "404", "4xx". */
export function statusText(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[1-5](?:\d\d|xx)$/.test(text) ? text : undefined;
}

/** A time as the service writes it. */
export function momentText(value: unknown): string | undefined {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/.test(value) ? value : undefined;
}
