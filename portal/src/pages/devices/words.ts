/** How old what a device told is, in words. */

/** The latest of these times of the service, which are ordered as text is; undefined when there is none. */
export function latestOf(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce(
    (one, other) => (one === undefined || (other !== undefined && other > one) ? other : one),
    undefined,
  );
}

/** After so long a value is shown with its age, ms. */
const FRESH = 60_000;

/** Whether what was observed so long ago still counts as fresh. @param ms may be negative: clocks differ */
export function isFresh(ms: number): boolean {
  return ms < FRESH;
}
