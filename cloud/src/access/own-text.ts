/** A text that is kept for long, without what it was cut out of: V8 keeps the whole header or URL in memory for a part of it. */

export function ownText(part: string): string {
  return Buffer.from(part).toString();
}
