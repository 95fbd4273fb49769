/** Rows under headings, aligned, and no wider than the terminal. */

import { printable } from "@porchlight/shared/model";
import stringWidth from "string-width";
import { cell, ellipsisOf, type Showing, valueAt } from "./cell.ts";
import { type Part, styled, textOf } from "./style.ts";

export interface Column {
  readonly heading: string;
  /** Path of the field that it shows: names with dots between them, or a list of names where these have dots themselves. */
  readonly path: string | readonly string[];
  /** It is of use only whole: an ID. */
  readonly isWhole?: true;
  /** Where there is no room it goes before anything is shortened, if nothing but its like stands after it. */
  readonly isExtra?: true;
}

const GAP = 2;
/** Narrower than this a column would rather be another's room… */
const NARROW = 12;
/** … unless there are two only; narrower than this a shortened text tells nothing. */
const NARROWEST = 6;
/** So many columns always stay. */
const FEWEST = 2;

/** Lines of parts. @param width columns of the terminal */
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

/** A column in which nothing stands takes the room of one in which something does. */
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
 * Widths of the columns that are shown: the extra ones go first, then the widest gives way, then the last goes.
 * @param natural what each would take
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

// How wide text is on a terminal, where some characters take two columns and some none.

/** Columns that the text takes once it is written. */
export function widthOf(text: string): number {
  return stringWidth(printable(text));
}

/** The text cut to so many columns, with an ellipsis where something is missing. */
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

/** The text with spaces after it up to so many columns. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}
