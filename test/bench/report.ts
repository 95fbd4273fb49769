/** Rows of the benchmark table: medians and ratios of pairs from the same run, one JSON object a line. */

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median of the pairwise ratios, so that a machine that slows down between rounds does not show. */
export function ratio(pairs: readonly (readonly [number, number])[]): number {
  return median(pairs.map(([measured, limit]) => measured / limit));
}

export interface Row {
  readonly measured: number;
  /** The bare limit, from the same run. */
  readonly limit: number;
  readonly ratio: number;
  readonly goal: string;
  readonly [further: string]: number | string;
}

export function print(what: string, row: Row): void {
  const rounded = Object.entries(row).map(([name, value]) => [name, typeof value === "number" ? round(value) : value]);
  process.stdout.write(`${JSON.stringify({ what, ...Object.fromEntries(rounded) })}\n`);
}

/** A part of the time of something that was done many times. @param us each time @param share of all, 0 to 1; missing when it is none of its parts */
export function printPart(what: string, part: string, us: number, share?: number): void {
  const percent = share === undefined ? {} : { "%": Number((100 * share).toFixed(1)) };
  process.stdout.write(`${JSON.stringify({ what, part, "µs each": round(us), ...percent })}\n`);
}

/** Three significant figures, and whole numbers above a thousand. */
function round(value: number): number {
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}
