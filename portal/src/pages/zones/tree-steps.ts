/** Keyboard navigation of the tree: move between rows, expand and collapse. Pure. */
import type { ForestRow } from "./forest.ts";

interface TreeStep {
  /** The row to focus. */
  readonly focus?: string;
  /** The row to expand or collapse. */
  readonly toggle?: string;
}

/** @param key of the keyboard @returns undefined when the key has no effect */
export function stepOf(rows: readonly ForestRow[], at: string | undefined, key: string): TreeStep | undefined {
  const index = rows.findIndex((row) => row.key === at);
  const row = rows[index];
  const to = (next: number): TreeStep | undefined => {
    const found = rows[Math.min(Math.max(next, 0), rows.length - 1)];
    return found && { focus: found.key };
  };
  switch (key) {
    case "ArrowDown":
      return to(index + 1);
    case "ArrowUp":
      return to(index - 1);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "ArrowRight":
      if (!row || row.count === 0 || row.kind === "more") return undefined;
      return row.isOpen ? to(index + 1) : { toggle: row.key };
    case "ArrowLeft": {
      if (!row) return undefined;
      if (row.isOpen) return { toggle: row.key };
      const outer = rows.slice(0, index).findLast(({ level }) => level < row.level);
      return outer && { focus: outer.key };
    }
    default:
      return undefined;
  }
}
