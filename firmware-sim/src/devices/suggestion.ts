/** The known word that a wrong one was probably meant to be. */

/** The nearest of `known`, or undefined when none is near enough to help. */
export function suggestion(wrong: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wrong.length / 3)) + 1;
  for (const word of known) {
    const distance = editDistance(wrong.toLowerCase(), word.toLowerCase());
    if (distance < least) [best, least] = [word, distance];
  }
  return best;
}

/** A sentence about a wrong word, with the suggestion when there is one. */
export function unknownWord(what: string, wrong: string, known: readonly string[]): string {
  const near = suggestion(wrong, known);
  return near === undefined
    ? `${what} "${wrong}" is not known; known are ${known.join(", ")}`
    : `${what} "${wrong}" is not known: did you mean "${near}"?`;
}

/** Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
