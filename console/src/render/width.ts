/** How wide text is on a terminal, where some characters take two columns and some none. */

import { printable } from "@porchlight/shared/model";
import stringWidth from "string-width";

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
