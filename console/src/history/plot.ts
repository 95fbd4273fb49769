/** A line of values by plain characters: dots of braille, two by four in a cell, or one sign a cell where there is ASCII only. Pure. */

/** What a line is in one column: the range that it passes; undefined where nothing is known. */
export type Range = { readonly low: number; readonly high: number } | undefined;

export interface Plot {
  /** Lines of characters from the top, each as long as there are columns. */
  readonly lines: readonly string[];
  readonly top: number;
  readonly bottom: number;
}

/** The bits of a cell of braille, by column and row. */
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** Columns of dots in a cell. */
export function dotsPerCell(isUnicode: boolean): number {
  return isUnicode ? 2 : 1;
}

/** @param columns one for each column of dots @param rows lines of text @returns undefined when nothing is known */
export function plotOf(columns: readonly Range[], rows: number, isUnicode: boolean): Plot | undefined {
  const known = columns.filter((column) => column !== undefined);
  if (known.length === 0) return undefined;
  const bottom = known.reduce((least, { low }) => Math.min(least, low), Number.POSITIVE_INFINITY);
  const top = known.reduce((most, { high }) => Math.max(most, high), Number.NEGATIVE_INFINITY);
  const high = isUnicode ? rows * 4 : rows;
  const rowOf = (value: number) =>
    // A line of one value is in the middle.
    top === bottom ? Math.floor(high / 2) : Math.round((1 - (value - bottom) / (top - bottom)) * (high - 1));
  const wide = dotsPerCell(isUnicode);
  const cells = Array.from({ length: rows }, () => new Array<number>(Math.ceil(columns.length / wide)).fill(0));
  for (const [x, column] of columns.entries()) {
    if (!column) continue;
    for (let y = rowOf(column.high); y <= rowOf(column.low); y++) {
      const row = cells[isUnicode ? y >> 2 : y];
      const cell = Math.floor(x / wide);
      if (row) row[cell] = (row[cell] ?? 0) | (isUnicode ? (DOTS[x % 2 === 0 ? 0 : 1][y % 4] ?? 0) : 1);
    }
  }
  const sign = (bits: number) => (bits === 0 ? " " : isUnicode ? String.fromCharCode(0x2800 + bits) : "*");
  return { lines: cells.map((row) => row.map(sign).join("")), top, bottom };
}

const EIGHTHS = " ▁▂▃▄▅▆▇█";

/** Bars from zero upwards; undefined stays empty. @returns lines from the top */
export function barLines(values: readonly (number | undefined)[], rows: number, isUnicode: boolean): readonly string[] {
  const most = values.reduce<number>((one, other) => Math.max(one, other ?? 0), 0);
  const parts = isUnicode ? 8 : 1;
  return Array.from({ length: rows }, (_, row) =>
    values
      .map((value) => {
        if (value === undefined || value <= 0 || most === 0) return " ";
        // A little is not nothing.
        const height = Math.max(1, Math.round((value / most) * rows * parts)) - (rows - 1 - row) * parts;
        const part = Math.min(parts, Math.max(0, height));
        return isUnicode ? (EIGHTHS[part] ?? " ") : part > 0 ? "#" : " ";
      })
      .join(""),
  );
}
