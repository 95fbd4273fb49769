/** What things are called on a page. */
import { type Named, nameOf } from "@porchlight/shared/names";

export { NAME_KEY, type Named, nameOf } from "@porchlight/shared/names";

/** A text as long as a line takes. What is cut belongs into a tooltip or further down. @param most characters */
export function cut(text: string, most = 80): string {
  const characters = [...text.slice(0, 2 * most + 1)];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
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
