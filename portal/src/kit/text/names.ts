/** What things are called on a page. */
import { type Named, nameOf } from "@porchlight/shared/names";

export { NAME_KEY, type Named, nameOf } from "@porchlight/shared/names";

/** A name that is typed has so many characters at most. */
export const LONGEST_NAME = 64;

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });
/** So much of what is left of a long text is its beginning; the rest is its end, where names that are alike differ. */
const BEGINNING = 0.6;

/** A text as long as there is room for: both its ends. What is cut belongs into a title or further down. @param most characters as people count them */
export function cut(text: string, most = 80): string {
  if (text.length <= most) return text;
  // A text of more than so much is cut anyway, and may be very long.
  const ends = text.length > 40 * most ? `${text.slice(0, 20 * most)}${text.slice(-20 * most)}` : text;
  const characters = Array.from(CHARACTERS.segment(ends), ({ segment }) => segment);
  if (ends === text && characters.length <= most) return text;
  const first = Math.ceil((most - 1) * BEGINNING);
  return `${characters.slice(0, first).join("")}…${characters.slice(first - most + 1).join("")}`;
}

/** The same for a heading, in which an ID alone says little: "Environment env_…f4k2m1". @param kind with a capital letter */
export function titleOf(named: Named, kind: string): string {
  const name = nameOf(named);
  return name === named.id ? `${kind} ${shortId(name)}` : name;
}

/** An ID short enough for a narrow place, and still told from its neighbours. */
export function shortId(id: string): string {
  return id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
}

/** The same for a narrow place: an ID is shortened. */
export function shortNameOf(named: Named): string {
  const name = nameOf(named);
  return name === named.id ? shortId(name) : name;
}
