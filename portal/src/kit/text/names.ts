/** The display names of objects on a page. */
import { type Named, nameOf } from "@porchlight/shared/names";

export { NAME_KEY, type Named, nameOf } from "@porchlight/shared/names";

/** Maximum length of a name that a person types, in characters. */
export const LONGEST_NAME = 64;

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Share of a shortened text that is taken from its start. The rest is its end, where similar names differ. */
const BEGINNING = 0.6;

/**
 * Shortens a text to the given length and keeps both ends; show the full text in a title or further down.
 * @param most characters as people count them (graphemes)
 */
export function cut(text: string, most = 80): string {
  if (text.length <= most) return text;
  // Segment only the ends of a very long text: everything between them is cut anyway.
  const ends = text.length > 40 * most ? `${text.slice(0, 20 * most)}${text.slice(-20 * most)}` : text;
  const characters = Array.from(CHARACTERS.segment(ends), ({ segment }) => segment);
  if (ends === text && characters.length <= most) return text;
  const first = Math.ceil((most - 1) * BEGINNING);
  return `${characters.slice(0, first).join("")}…${characters.slice(first - most + 1).join("")}`;
}

/**
 * A heading for an object. An object without a name gets its kind before its ID: "Environment env_…f4k2m1".
 * @param kind with a capital letter
 */
export function titleOf(named: Named, kind: string): string {
  const name = nameOf(named);
  return name === named.id ? `${kind} ${shortId(name)}` : name;
}

/** Shortens an ID for a narrow place and keeps enough characters to distinguish it from its neighbours. */
export function shortId(id: string): string {
  return id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
}

/** The name for a narrow place; an ID is shortened. */
export function shortNameOf(named: Named): string {
  const name = nameOf(named);
  return name === named.id ? shortId(name) : name;
}
