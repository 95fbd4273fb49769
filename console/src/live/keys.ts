/** What a key means in a live view. */

export type Key = "quit" | "interrupt" | "up" | "down" | "pageUp" | "pageDown" | "top" | "bottom";

/** Sequences that terminals send for keys. */
const KEYS: Readonly<Record<string, Key>> = {
  q: "quit",
  Q: "quit",
  "\u0003": "interrupt",
  "\u001b[A": "up",
  "\u001bOA": "up",
  k: "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  j: "down",
  "\u001b[5~": "pageUp",
  b: "pageUp",
  "\u001b[6~": "pageDown",
  " ": "pageDown",
  "\u001b[H": "top",
  g: "top",
  "\u001b[F": "bottom",
  G: "bottom",
};

/** A whole sequence, or one character of what is no sequence. */
const ONE = /\p{Cc}(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[\s\S]/gu;

/** The keys in a piece of input; what means nothing is left out. */
export function keysIn(text: string): Key[] {
  return [...text.matchAll(ONE)].flatMap(([sequence]) => {
    const key = Object.hasOwn(KEYS, sequence) ? KEYS[sequence] : undefined;
    return key ? [key] : [];
  });
}

/** Where the view is scrolled to after a key. @param page rows that fit @param furthest how far it can be scrolled */
export function scrolled(scroll: number, key: Key, page: number, furthest: number): number {
  const to = {
    up: scroll - 1,
    down: scroll + 1,
    pageUp: scroll - page,
    pageDown: scroll + page,
    top: 0,
    bottom: furthest,
  };
  const wanted = key === "quit" || key === "interrupt" ? scroll : to[key];
  return Math.min(furthest, Math.max(0, wanted));
}
