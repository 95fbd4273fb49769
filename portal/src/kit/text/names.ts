/** What things are called on a page. */

export interface Named {
  readonly id: string;
  readonly alias?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The key of metadata under which names stand: of a device its own name for itself, until somebody gives it another. */
export const NAME_KEY = "$.name";

/** The name in its metadata, else its alias, else its ID. */
export function nameOf({ id, alias, meta }: Named): string {
  const name = meta?.[NAME_KEY];
  return typeof name === "string" && name.trim() !== "" ? name.trim() : (alias ?? id);
}

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
