/** Texts of devices as every store keeps them: pure. */

/** Without control characters and lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, "");
}
