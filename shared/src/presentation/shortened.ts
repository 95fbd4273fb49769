/** A name or a value short enough for a sentence: both ends stay, because names that are alike differ at one of them. */

/** Characters of a name or a value in a sentence. */
const MOST = 100;
/** So much of what stays is its beginning. */
const BEGINNING = 0.6;

export function shortened(text: string, most = MOST): string {
  if (text.length <= most) return text;
  // Whole code points; a long text is not taken apart for its ends.
  const [head, tail] = [[...text.slice(0, 2 * most)], [...text.slice(-2 * most)]];
  const first = Math.ceil((most - 1) * BEGINNING);
  return `${head.slice(0, first).join("")}…${tail.slice(-(most - 1 - first)).join("")}`;
}
