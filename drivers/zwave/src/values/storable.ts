/** Makes texts of devices safe for every store. Pure. */

/** Removes control characters and lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, "");
}
