/** A table: rows under headings, aligned, and no wider than the terminal. */
import { printable } from "@porchlight/shared/model";
import stringWidth from "string-width";
import { cell, ellipsisOf, type Showing, valueAt } from "./cell.ts";
import { type Part, styled, textOf } from "./style.ts";

export interface Column {
  readonly heading: string;
  /** Path of the field: names joined by dots, or a list of names when a name itself contains dots. */
  readonly path: string | readonly string[];
  /** Never shorten it, because only the complete value is useful: an ID. */
  readonly isWhole?: true;
  /** Without enough room, drop it before any column is shortened, if only such columns follow it. */
  readonly isExtra?: true;
}

const GAP = 2;
/** Below this width it is better to drop a column… */
const NARROW = 12;
/** … unless only two are left; below this width a shortened text is useless. */
const NARROWEST = 6;
/** Number of columns that always stay. */
const FEWEST = 2;

/** Lines of parts. @param width of the terminal, columns */
export function tableLines(
  all: readonly Column[],
  items: readonly unknown[],
  width: number,
  showing: Showing,
): (readonly Part[])[] {
  const columns = all.filter(({ path }, index) => index < FEWEST || items.some((item) => hasValue(item, path)));
  const rows = items.map((item) => columns.map(({ path }) => cell(valueAt(item, path), showing)));
  const natural = columns.map(({ heading }, index) =>
    Math.max(widthOf(heading), ...rows.map((row) => widthOf(textOf(row[index] ?? "")))),
  );
  const widths = fitted(columns, natural, width);
  const heading = columns.map(({ heading }) => styled("bold", heading));
  return [heading, ...rows].map((row) => aligned(row, widths, showing));
}

/** An empty column is dropped in favour of one with values. */
function hasValue(item: unknown, path: Column["path"]): boolean {
  const value = valueAt(item, path);
  return value !== undefined && value !== null;
}

function aligned(row: readonly Part[], widths: readonly number[], showing: Showing): Part[] {
  return row.slice(0, widths.length).flatMap((part, index) => {
    const width = widths[index] ?? 0;
    const text = shortened(textOf(part), width, ellipsisOf(showing));
    const gap = index + 1 < widths.length ? padded(text, width + GAP).slice(text.length) : "";
    return typeof part === "string" ? [text, gap] : [styled(part.style, text), gap];
  });
}

/**
 * Widths of the shown columns: drops the extra columns first, then shrinks the widest, then drops the last.
 * @param natural preferred width of each column
 */
function fitted(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const excess = () => widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  while (excess() > 0) {
    if (columns[widths.length - 1]?.isExtra && widths.length > FEWEST) {
      widths.pop();
      continue;
    }
    const flexible = widths.map((each, index) => (columns[index]?.isWhole ? 0 : each));
    const widest = Math.max(...flexible);
    const least = widths.length > FEWEST ? NARROW : NARROWEST;
    if (widest > least) {
      const index = flexible.indexOf(widest);
      const next = Math.max(least, ...flexible.filter((each) => each < widest));
      widths[index] = Math.max(widest - excess(), Math.min(next, widest - 1));
    } else if (widths.length > FEWEST) widths.pop();
    else return widths;
  }
  return widths;
}

/** Columns that a text takes on a terminal, where some characters take two and some none. */
export function widthOf(text: string): number {
  return stringWidth(printable(text));
}

/** The text cut to this width, with an ellipsis when it is cut. */
export function shortened(text: string, columns: number, ellipsis: string): string {
  const whole = printable(text);
  if (stringWidth(whole) <= columns) return whole;
  let kept = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(whole)) {
    const next = width + stringWidth(segment);
    if (next > columns - stringWidth(ellipsis)) break;
    kept += segment;
    width = next;
  }
  return kept + ellipsis;
}

/** The text padded with spaces to this width. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}
