/** Copies a long-lived text: V8 keeps the whole header or URL in memory for a slice of it. */

export function ownText(part: string): string {
  return Buffer.from(part).toString();
}
