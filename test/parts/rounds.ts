/**
 * What a test does in every run, and what at length only: `npm run test:long` proves the same with more rounds, and with variations. It runs
 * the files that import this one or `at-length.ts`, and those named `*.long.test.ts`.
 */
export const IS_AT_LENGTH = process.env.PORCHLIGHT_LONG === "1";

/** How many rounds a test counts: a few in `npm test`, as many as are asked for at length. */
export function rounds(few: number, many: number): number {
  return IS_AT_LENGTH ? many : few;
}

/** The cases of every run, and those that vary them, at length. */
export function casesOf<T>(always: readonly T[], atLengthToo: readonly T[]): readonly T[] {
  return IS_AT_LENGTH ? [...always, ...atLengthToo] : always;
}

/** Faults that are looked for at length only, where every run looks for them elsewhere. */
export async function foundAtLength<T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  return IS_AT_LENGTH ? look() : [];
}
