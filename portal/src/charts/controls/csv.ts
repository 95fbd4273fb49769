/** Several texts of CSV as one, where they have the same columns. Pure. */

/** One for each set of columns, in the order in which these come first. */
export function joined(texts: readonly string[]): readonly string[] {
  const byHead = new Map<string, string>();
  for (const text of texts) {
    const end = text.indexOf("\n") + 1 || text.length;
    const head = text.slice(0, end);
    const before = byHead.get(head);
    byHead.set(head, before === undefined ? text : before + text.slice(end));
  }
  return [...byHead.values()];
}
